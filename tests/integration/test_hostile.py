"""Hostile results through check, terminal and JUnit: harmless and bounded in time."""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ET

import pytest

HEAD = """
import pytest

def bad(text):
    return {"status": "error", "summary": text, "next_actions": [text]}
"""
HOSTILE = {
    "escape sequences": "\x1b[2J\x1b]0;owned\x07 \x9b31m \x00 \x08\x08 back",
    "hyperlink": "\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "workflow commands": "\n::error file=a.py::owned\n::stop-commands::x"
    "\n##[error]owned",
    "carriage return": "harmless\rgate recovery: pass",
    "html": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "markdown": "[click](javascript:alert(1)) ![x](http://evil.example/p.png) @team",
    "bidirectional marks": "user\u202e\u2066txt.exe\u2069 \u200b\u2060 \ufeff",
    "lone surrogates": "\ud800 \udfff",
    "line separators": "one\u2028two\u2029three\x85four",
}


def marks_left(text: str) -> set[str]:
    """Characters that a terminal or a reader's eye would obey."""
    allowed = {"\n", "\t", " "}
    return {c for c in text if not c.isprintable() and c not in allowed}


@pytest.mark.parametrize("verbosity", ["-q", "-vv", "-rA"])
@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_text_is_escaped_wherever_it_is_shown(child, case, verbosity):
    body = f"""
TEXT = {HOSTILE[case]!a}

@pytest.mark.agentgate
def test_rules(agentgate):
    agentgate.check(bad(TEXT), tool="t")

@pytest.mark.agentgate
def test_assert(agentgate):
    seen = agentgate.check(bad(TEXT), tool="t", rules="envelope.status")
    assert seen.summary == "other"

@pytest.mark.agentgate
def test_raise(agentgate):
    raise RuntimeError(TEXT)
"""
    options = ["--agentgate", verbosity]
    result = child(*options, files={"test_it.py": HEAD + body})
    assert result.code == 1, result.out
    assert not marks_left(result.out)
    assert not [
        line for line in result.out.splitlines() if line.startswith(("::", "##["))
    ]
    document = ET.parse(result.folder / "junit.xml")
    assert not marks_left("".join(document.getroot().itertext()))
    journal = (result.folder / ".agentgate" / "journal.jsonl").read_text("ascii")
    assert "\x1b" not in journal


LARGE = {
    "50 MB of text": "'x' * 50_000_000",
    "50 MB in a mapping": '{"status": "success", "summary": "s", "source": "db:t",'
    ' "payload": "x" * 50_000_000}',
    "depth 100,000 as text": "'[' * 100_000 + ']' * 100_000",
    "depth 100,000 in memory": "deep(100_000)",
    "100,000 keys": '{"status": "success", "summary": "s", "source": "db:t",'
    ' "payload": {str(n): "x" * 50 for n in range(100_000)}}',
    "a number of 100,000 digits": "'{\"status\": ' + '9' * 100_000 + '}'",
    "a cycle": "cycle()",
}
BUILD = """
def deep(n):
    value = []
    for _ in range(n): value = [value]
    return {"status": "success", "summary": "s", "source": "db:t", "payload": value}

def cycle():
    value = {"status": "success", "summary": "s", "source": "db:t"}
    value["payload"] = value
    return value
"""


@pytest.mark.parametrize("case", LARGE)
def test_large_and_deep_results_are_graded_in_bounded_time(child, case):
    body = f"""{BUILD}
@pytest.mark.agentgate
def test_x(agentgate):
    agentgate.check({LARGE[case]}, tool="t")
"""
    start = time.monotonic()
    result = child("--agentgate", files={"test_it.py": HEAD + body})
    assert time.monotonic() - start < 30
    assert list(result.outcomes.values()) == ["failed"], result.out
    assert len(result.out) < 100_000
    assert (result.folder / ".agentgate" / "journal.jsonl").stat().st_size < 100_000


def test_a_regex_bomb_in_the_contracts_is_refused_or_harmless(child):
    contracts = "version: 1\ntools:\n  t:\n    failure_modes:\n"
    contracts += "      - {name: down, says: ['(a+)+$']}\n"
    body = """
@pytest.mark.agentgate
def test_x(agentgate):
    agentgate.check(bad("a" * 5000 + "!"), tool="t", mode="down")
"""
    files = {
        "agentgate.yaml": "version: 1\ntools: {contracts: c.yaml}\n",
        "c.yaml": contracts,
        "test_it.py": HEAD + body,
    }
    start = time.monotonic()
    result = child("--agentgate", files=files)
    assert time.monotonic() - start < 20
    assert result.code in (1, 4), result.out


def test_a_regex_bomb_in_redaction_is_refused_with_the_way_out(child):
    policy = "version: 1\nredaction: {patterns: ['(a+)+$']}\n"
    files = {"agentgate.yaml": policy, "test_it.py": "def test_x(): pass"}
    result = child("--agentgate", files=files)
    assert result.code == 4
    assert "agentgate.yaml:2" in result.out
    assert "repe" in result.out


SENTINEL = "sk-ant-api03-Zq7FAKEsentinel5150Kx9"
PLAIN = "Zq7FAKEsentinel5150Kx9"
CHANNELS = {
    "summary": 'bad("token " + SECRET + " refused")',
    "next action": '{"status": "error", "summary": "s", "next_actions": [SECRET]}',
    "payload by key": '{"status": "success", "summary": "s", "payload": '
    '{"api_key": PLAIN}, "source": ""}',
    "payload by shape": '{"status": "success", "summary": "s", "payload": [SECRET]}',
    "source url": '{"status": "success", "summary": "s", "payload": 1, "source": '
    '"https://bot:" + PLAIN + "@git.example.test/x"}',
    "plain text": '"failed with " + SECRET',
    "json text": '\'{"status": "error", "summary": "\' + SECRET + \'"}\'',
    "environment": 'bad("upstream said " + os.environ["MY_SERVICE_TOKEN"])',
    "environment in a long text": 'bad("x" * 190 + os.environ["MY_SERVICE_TOKEN"]'
    ' + "y" * 900)',
    "encoded environment": 'bad(base64.b64encode(os.environ["MY_SERVICE_TOKEN"].'
    "encode()).decode())",
}
ENVIRONMENT = {"MY_SERVICE_TOKEN": "plainFAKEvalue77Qz0without-any-shape"}


def written(folder, out: str) -> bytes:
    """Every byte that the run wrote, its caches and screen included."""
    files = [p for p in folder.rglob("*") if p.is_file() and p.name != "test_it.py"]
    files = [p for p in files if "__pycache__" not in p.parts]
    return out.encode() + b"".join(p.read_bytes() for p in files)


@pytest.mark.parametrize("mode", [[], ["-n2"]])
@pytest.mark.parametrize("channel", CHANNELS)
def test_a_secret_is_in_no_byte_that_the_run_writes(child, channel, mode):
    body = f"""
import base64, os
PLAIN = "".join({list(PLAIN)!r})
SECRET = "sk-ant-api03-" + PLAIN

@pytest.mark.agentgate
def test_check(agentgate):
    agentgate.check({CHANNELS[channel]}, tool="t", arguments={{"password": PLAIN}})

@pytest.mark.agentgate
def test_assert(agentgate):
    seen = agentgate.check({CHANNELS[channel]}, rules="envelope.status")
    print("seen", SECRET)
    assert [seen.summary, seen.payload, seen.source] == [SECRET]

@pytest.mark.agentgate
def test_raise(agentgate):
    raise RuntimeError("no access with " + SECRET)

def test_ordinary(agentgate):
    seen = agentgate.check({CHANNELS[channel]}, rules="envelope.status")
    assert SECRET in seen.fields
"""
    options = ["--agentgate", "-rA", "-l", "--html=report.html", *mode]
    files = {"test_it.py": HEAD + body}
    result = child(*options, files=files, env=ENVIRONMENT, plugins=True)
    assert result.code == 1, result.out
    everything = written(result.folder, result.out)
    assert b"REDACTED" in everything
    secrets = [PLAIN, ENVIRONMENT["MY_SERVICE_TOKEN"]]
    for secret in secrets:
        found = [m.start() for m in re.finditer(re.escape(secret.encode()), everything)]
        assert not found, everything[max(found[0] - 200, 0) : found[0] + 60]
