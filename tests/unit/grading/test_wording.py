"""Wording: what is shown, what only looks like it, what cannot be told."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from pytest_agentgate.grading.wording import read, read_cause
from pytest_agentgate.grading.wording.speech import languages, normalise, own_words

sys.path.insert(0, str(Path(__file__).parent))
from recovery_sentences import CAUSES, SENTENCES

SHOWN = {"found": "pass", "missing": "fail", "unknown": "abstain"}
SHARED = Path(__file__).resolve().parents[3] / ".." / "shared"


@pytest.mark.parametrize(
    ("language", "text", "remedy", "stop"), SENTENCES, ids=[s[1] for s in SENTENCES]
)
def test_sentence(language, text, remedy, stop):
    seen = read((text,))
    if remedy != "-":
        assert SHOWN[seen.remedy] == remedy
    if stop != "-":
        assert SHOWN[seen.stop] == stop


@pytest.mark.parametrize(
    ("language", "text", "cause"), CAUSES, ids=[c[1] for c in CAUSES]
)
def test_cause(language, text, cause):
    assert SHOWN[read_cause((text,))] == cause


def test_table_is_wide_and_half_of_it_near_misses():
    rows = Counter(row[0] for row in SENTENCES)
    assert len(SENTENCES) >= 150
    assert all(rows[one] >= 20 for one in ("en", "de", "es", "fr", "ja", "zh"))
    misses = sum("fail" in row[2:] for row in SENTENCES)
    assert misses * 2 >= sum(
        "pass" in row[2:] or "fail" in row[2:] for row in SENTENCES
    )


def test_actions_are_read_together():
    seen = read(("Retry once.", "Then tell the user."))
    assert seen == ("found", "found")


def test_text_in_an_unknown_language_beside_a_known_one_leaves_it_open():
    seen = read(("Start the server.", "Spróbuj ponownie później."))
    assert seen.stop == "unknown"


def test_tool_name_is_no_cause():
    assert read_cause(("book_table failed.",), "book_table") == "missing"


def test_traceback_is_no_cause():
    text = (
        'Traceback (most recent call last):\n  File "/srv/a.py", line 8, in f\nBoom: 5'
    )
    assert read_cause((text,)) == "missing"


def test_forwarded_text_ends_with_its_quotation():
    text = normalise(
        'Service detail: {"a": "stop"} Retry once; if it fails again, stop.'
    )
    assert "detail" not in own_words(text)
    assert "retry once" in own_words(text)


def test_whole_text_in_quotes_is_not_a_quotation():
    assert read(('"Retry once; if it fails again, stop."',)).stop == "found"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Retry.", ["en"]),
        ("search_docs", ["en"]),
        ("429", None),
        ("Nutzer informieren", ["de"]),
        ("再試行", ["zh", "ja"]),
        ("やり直す", ["ja"]),
        ("Повторите", []),
    ],
)
def test_language(text, names):
    found = languages(normalise(text))
    assert (None if found is None else [one.name for one in found]) == names


@pytest.mark.parametrize(
    "unit",
    [
        *("a", "'", "(", "retry ", "if again ", "stop if after ", "再度失敗"),
        *("如果再次失败", "nicht erneut ", "si otra vez ", "set a b ", "\ufdfa"),
        "ne réessayez si encore ",
    ],
)
def test_long_text_is_read_in_bounded_time(unit):
    text = (unit * 100_000)[:100_000]
    began = time.perf_counter()
    read((text,))
    read_cause((text,))
    assert time.perf_counter() - began < 0.25  # 50 ms wanted; machines are busy


def test_what_lies_beyond_the_limit_is_left_open():
    assert read(("The server is down. " * 400,)).stop == "unknown"


def kb_agent_rows():
    path = SHARED / "data" / "kb_agent" / "observations.jsonl"
    if not path.exists():
        pytest.skip("../shared is not here")
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        seen = row["result"]
        seen = json.loads(seen) if isinstance(seen, str) else seen
        if seen and seen["status"] in ("error", "warning"):
            yield row["tool"], seen


def test_kb_agent_lacks_eighteen_stops_and_nothing_else():
    lacking = Counter()
    for tool, seen in kb_agent_rows():
        reading = read(tuple(seen["next_actions"]))
        assert reading.remedy == "found", seen
        assert read_cause((seen["summary"],), tool) == "found", seen
        assert reading.stop != "unknown", seen
        lacking[seen["status"]] += reading.stop == "missing"
    assert lacking == {"error": 11, "warning": 7}
