"""A journal that is not whole, or not as it was written, decides nothing."""

from __future__ import annotations

import json

import pytest

from pytest_agentgate.errors import JournalError
from pytest_agentgate.store.journal import JOURNAL, Journal, read_journal

PLAN = {"type": "plan", "plan": {}, "run": {}}


def write(folder, *records, exit_code=0):
    journal = Journal(folder)
    for record in records:
        journal.write(record)
    if exit_code is not None:
        journal.finish(exit_code)
    journal.close()
    return folder / JOURNAL


def test_round_trip(tmp_path):
    write(tmp_path, PLAN, {"type": "trial", "text": 'a"b\\ \ud800 ,"chain":"x"}'})
    records = read_journal(tmp_path)
    assert [record["type"] for record in records] == ["plan", "trial", "footer"]
    assert records[1]["text"].endswith(',"chain":"x"}')


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: "", "a plan record first"),
        (lambda text: text[:-3], "a whole, unedited line"),
        (lambda text: text.replace("trial", "trail"), "a whole, unedited line"),
        (lambda text: text.splitlines()[0] + "\n", "a footer as the last line"),
        (lambda text: "\n".join(text.splitlines()[1:]), "a whole, unedited line"),
        (lambda text: text + "\n{}", "a whole, unedited line"),
        (lambda text: "\ufeff" + text, "readable ASCII text"),
        (lambda text: text * 2, "a whole, unedited line"),
    ],
)
def test_damage_is_named_with_the_way_out(tmp_path, change, message):
    path = write(tmp_path, PLAN, {"type": "trial"})
    path.write_text(change(path.read_text()), encoding="utf-8")
    with pytest.raises(JournalError) as raised:
        read_journal(tmp_path)
    assert message in str(raised.value)
    assert "run pytest --agentgate again" in str(raised.value)


def test_without_a_settled_exit_code_there_is_no_footer(tmp_path):
    write(tmp_path, PLAN, exit_code=None)
    with pytest.raises(JournalError, match="the run did not come to its end"):
        read_journal(tmp_path)


def test_values_json_cannot_carry_are_refused(tmp_path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write(tmp_path, {"type": "plan", "x": float("nan")})


@pytest.mark.parametrize("kind", ["none", "folder", "file", "link"])
def test_an_earlier_run_is_set_aside(tmp_path, kind):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").touch()
    out = tmp_path / "out"
    write(out, PLAN, exit_code=1)
    previous = out / "previous"
    if kind == "folder":
        previous.mkdir()
        (previous / "old").touch()
    elif kind == "file":
        previous.touch()
    elif kind == "link":
        previous.symlink_to(elsewhere)
    write(out, PLAN, exit_code=2)
    lines = (previous / JOURNAL).read_text().splitlines()
    assert json.loads(lines[-1])["exit_code"] == 1
    assert (elsewhere / "kept").exists()
    assert read_journal(out)[-1]["exit_code"] == 2


def test_a_link_in_the_journals_place_is_not_followed(tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    target = tmp_path / "precious"
    target.write_text("kept")
    (out / JOURNAL).symlink_to(target)
    write(out, PLAN)
    assert target.read_text() == "kept"
