"""Small breaks of the example: each turns a gate to block, by the rule that is meant.

A break is one replacement in a copy of the example; the part of its gate that has to
notice is run. ``gate.threshold`` stands for what an assert of a test alone can know.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.conftest import OTHERS, ROOT, as_activated

pytest.importorskip("anthropic")
pytest.importorskip("mcp")
pytest.importorskip("uvicorn")

EXAMPLE = ROOT / "examples" / "kb_agent"
RECOVERY, CONTRACT = "test_recovery.py", "test_contract.py"
LINT = "tasks.py"
"""No test is in it, so what is left are the contracts."""


class Break(NamedTuple):
    """One change for the worse.

    Attributes:
        file: the file that is changed.
        old: what goes, at its first place.
        new: what comes in its place.
        run: the test file that has to notice.
        words: what of it is run, as for ``-k``.
        rule: the rule that has to say so.
    """

    file: str
    old: str
    new: str
    run: str
    words: str
    rule: str


SEAM, TOOLS = "agent/seam.py", "agent/tools.py"
SERVICES, SHAPE = "agent/services.py", "agent/observation.py"
SERVER, CONTRACTS = "mcp_server.py", "contracts.yaml"

BREAKS = {
    # What is said when something fails.
    "a stop dropped": Break(
        SEAM,
        '"If it is still unreachable then, stop and tell the user that the "\n'
        '        f"{place.service} service is down."',
        '"The service is down."',
        *(RECOVERY, "search_notes and mode:unreachable", "recovery.stop-condition"),
    ),
    "a cause dropped": Break(
        SEAM,
        'cause=f"nothing accepts connections at {place.address}."',
        'cause="an error."',
        *(RECOVERY, "search_notes and mode:unreachable", "recovery.expected"),
    ),
    "a remedy dropped": Break(
        SEAM,
        'remedy=f"Ask the user to start it with `{place.start_command}`; "\n'
        '        "then make this call once more."',
        'remedy="It is not there."',
        *(RECOVERY, "search_notes and mode:unreachable", "recovery.expected"),
    ),
    "a start command without its command": Break(
        SEAM,
        "start it with `{place.start_command}`",
        "start it",
        *(RECOVERY, "search_notes and mode:unreachable", "recovery.expected"),
    ),
    "the wrong port in the start command": Break(
        "agent/projects.py",
        "--port {self.port}",
        "--port 8000",
        *(RECOVERY, "test_unreachable", "gate.threshold"),
    ),
    "a start command that does not start": Break(
        "agent/projects.py",
        'f"services.{self.service}:app"',
        'f"services.{self.service}:application"',
        *(RECOVERY, "test_start_command_works", "recovery.expected"),
    ),
    "the service's words in the advice": Break(
        SEAM,
        "raise _refusal(place, response, safe)",
        "raise _refusal(place, response, safe + body.decode())",
        *(RECOVERY, "classify_snippet and status-500", "recovery.tainted"),
    ),
    "a waiting time not passed on": Break(
        SEAM,
        "_rate_limited(place, _wait(response))",
        '_rate_limited(place, "a little")',
        *(RECOVERY, "search_notes and mode:rate_limited", "recovery.expected"),
    ),
    "a tool raises": Break(
        TOOLS,
        "return _defect(name, error).observation",
        "raise",
        *(RECOVERY, "list_projects and mode:defect", "envelope.raised"),
    ),
    "a traceback in the result": Break(
        TOOLS,
        'cause=f"a {type(error).__name__} inside {name}; the arguments are fine."',
        'cause=__import__("traceback").format_exc()',
        *(RECOVERY, "list_projects and mode:defect", "hygiene.stack-trace"),
    ),
    "a lost connection not caught": Break(
        SEAM,
        "except httpx.HTTPError:",
        "except httpx.TooManyRedirects:",
        *(RECOVERY, "delete_note and mode:dropped", "recovery.expected"),
    ),
    "redirects followed": Break(
        SEAM,
        "httpx.Client(trust_env=False,",
        "httpx.Client(trust_env=False, follow_redirects=True,",
        *(RECOVERY, "search_notes and mode:unexpected_status", "recovery.expected"),
    ),
    "an answer that is not checked": Break(
        SEAM,
        "next(Draft202012Validator(answer).iter_errors(value), None)",
        "None",
        *(RECOVERY, "classify_snippet and out-of-enum", "honesty.status"),
    ),
    "an error that is called a success": Break(
        SHAPE,
        '"status": status,',
        '"status": "success",',
        *(RECOVERY, "list_projects and mode:no_projects_file", "envelope.payload"),
    ),
    "an empty result that is called an error": Break(
        "agent/knowledge.py",
        'status="warning"',
        'status="error"',
        *(RECOVERY, "search_kb and mode:no_results", "honesty.empty-error"),
    ),
    "next actions under another name": Break(
        SHAPE,
        '"next_actions": [f"Cause',
        '"advice": [f"Cause',
        *(RECOVERY, "search_kb and mode:not_indexed", "envelope.next-actions"),
    ),
    "a summary of two lines": Break(
        SHAPE,
        '"summary": summary,\n            "next_actions"',
        '"summary": f"{summary}\\n{cause}",\n            "next_actions"',
        *(RECOVERY, "search_kb and mode:not_indexed", "envelope.summary"),
    ),
    "a write that is blindly sent again": Break(
        SERVICES,
        '"the service adds one note for a request_id, so repeating it with the "\n'
        '        "same request_id is safe"',
        '"just send it again"',
        *(RECOVERY, "add_note and mode:timeout", "recovery.unsafe-retry"),
    ),
    "advice that names no tool of ours": Break(
        SERVICES,
        "Call search_notes to find",
        "Call find_note_id to find",
        *(RECOVERY, "delete_note and mode:no_such_note", "recovery.actionable"),
    ),
    "nobody is asked before a deletion": Break(
        TOOLS,
        'NEEDS_APPROVAL = frozenset({"delete_note"})',
        "NEEDS_APPROVAL: frozenset[str] = frozenset()",
        *(RECOVERY, "test_nobody_agreed", "recovery.expected"),
    ),
    "arguments that are not checked": Break(
        TOOLS,
        'checked = check(name, tool["input_schema"], arguments)',
        "checked = arguments",
        *(RECOVERY, "search_kb and mode:bad_arguments", "recovery.expected"),
    ),
    # What is delivered.
    "a result without its source": Break(
        SHAPE,
        '"source": source,',
        '"source": "",',
        *(CONTRACT, "test_list_projects", "envelope.source"),
    ),
    "a field that was never promised": Break(
        SERVICES,
        'kept = {name: note[name] for name in NOTE["required"]}',
        "kept = dict(note)",
        *(CONTRACT, "left_out", "envelope.output-schema"),
    ),
    "a cut list without a notice": Break(
        SERVICES,
        "if total > len(notes):",
        "if total < len(notes):",
        *(CONTRACT, "left_out", "gate.threshold"),
    ),
    "a search without a cap": Break(
        "agent/index.py",
        "path, rowid LIMIT :limit",
        "path, rowid",
        *(CONTRACT, "is_capped", "envelope.output-schema"),
    ),
    "an idempotency key that is ignored": Break(
        SERVICES,
        '"request_id": request_id,',
        '"request_id": __import__("uuid").uuid4().hex,',
        *(CONTRACT, "any_argument and add_note", "contract.idempotency-sound"),
    ),
    "a deletion that leaves no event": Break(
        "services/notes.py",
        '_leave_event(db, "note.deleted", number)',
        "pass",
        *(CONTRACT, "is_deleted", "gate.threshold"),
    ),
    "a read that writes": Break(
        SERVICES,
        'asked = {"q": query',
        'add_note("A", "b", __import__("uuid").uuid4().hex)\n    asked = {"q": query',
        *(CONTRACT, "any_argument and search_notes", "contract.side-effect-agrees"),
    ),
    # What is promised.
    "no timeout": Break(
        *(CONTRACTS, "    timeout_seconds: 15\n", ""),
        *(LINT, "classify_snippet", "contract.timeout"),
    ),
    "no retry policy": Break(
        *(CONTRACTS, "    retry: {attempts: 2}\n", ""),
        *(LINT, "classify_snippet", "contract.timeout"),
    ),
    "no side-effect class": Break(
        *(CONTRACTS, "    side_effect: read_only\n", ""),
        *(LINT, "search_kb", "contract.side-effect"),
    ),
    "no approval": Break(
        *(CONTRACTS, "    approval: human\n", ""),
        *(LINT, "delete_note", "contract.approval"),
    ),
    "no idempotency": Break(
        *(CONTRACTS, "    idempotency: request_id\n", ""),
        *(LINT, "add_note", "contract.idempotency"),
    ),
    "no version": Break(
        *(CONTRACTS, '    version: "1.0"\n', ""),
        *(LINT, "search_kb", "contract.version"),
    ),
    "no permission": Break(
        *(CONTRACTS, '    permissions: ["notes:write"]\n', ""),
        *(LINT, "add_note", "contract.permissions"),
    ),
    "no description": Break(
        TOOLS,
        '"Call this when the user asks to delete or erase an entry by its id. It "\n'
        '            "cannot be undone, so a person has to consent before anything '
        'happens."',
        '""',
        *(LINT, "delete_note", "contract.description"),
    ),
    "a schema that is open": Break(
        TOOLS,
        '"required": ["query"],\n            "additionalProperties": False,',
        '"required": ["query"],',
        *(LINT, "search_kb", "contract.closed-schema"),
    ),
    "a text without bounds": Break(
        TOOLS,
        '"maxLength": 400,\n                    "pattern": r"\\S",',
        "",
        *(LINT, "search_kb", "contract.narrow-schema"),
    ),
    "a parameter without a description": Break(
        TOOLS,
        '"description": "The news text itself, without any instruction.",',
        "",
        *(LINT, "classify_snippet", "contract.params-described"),
    ),
    "a reference to nowhere": Break(
        TOOLS,
        '"items": {"type": "string", "pattern": TAG}',
        '"items": {"$ref": "#/$defs/tag"}',
        *(LINT, "add_note", "contract.refs"),
    ),
    "an enum lost on the way": Break(
        SERVER,
        "**tool,",
        '**json.loads(json.dumps(tool).replace("enum", "examples")),',
        *(LINT, "search_kb", "contract.fidelity"),
    ),
    "a bound lost on the way": Break(
        SERVER,
        "**tool,",
        '**json.loads(json.dumps(tool).replace("maximum", "x-maximum")),',
        *(LINT, "search_kb", "contract.fidelity"),
    ),
    "a tool that is not served": Break(
        SERVER,
        'if tool["name"] not in WRITES',
        'if tool["name"] not in {*WRITES, "search_notes"}',
        *(LINT, "search_notes", "contract.served"),
    ),
    # What is asked.
    "a description that quotes a task": Break(
        TOOLS,
        '"Call this when the user wants something written down',
        '"Could you tell me the addresses I have to open up for your services? '
        "I'm setting up a new laptop today. Call this when the user wants something "
        "written down",
        *("test_capability.py", "projects-terse", "theatre.prompt-leak"),
    ),
    "a system prompt that quotes a task": Break(
        "agent/agent.py",
        "You answer questions about a code base,",
        "For example, would this headline count as procurement? Egypt signs a contract "
        "for 40 drones.\nYou answer questions about a code base,",
        *("test_capability.py", "projects-terse", "theatre.prompt-leak"),
    ),
}


def gate(folder: Path, run: str, words: str) -> dict[str, Any]:
    """Run a part of the example's gate; return the manifest."""
    named = ["-k", words] if words else []
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--agentgate", *OTHERS, *named, run],
        cwd=folder,
        env=as_activated() | {"ANTHROPIC_API_KEY": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    manifest = folder / ".agentgate" / "manifest.json"
    assert manifest.exists(), done.stdout
    found: dict[str, Any] = json.loads(manifest.read_text())
    return found | {"out": done.stdout, "code": done.returncode}


def complaints(manifest: dict[str, Any]) -> set[str]:
    """Return the rules of every error and of every reason to block."""
    rules = {
        one["group"]["rule"]
        for one in manifest["findings"]
        if one["group"]["severity"] == "error" and one["group"]["verdict"] == "fail"
    }
    reasons = manifest["decision"]["reasons"]
    return rules | {one["rule"] for one in reasons if one["effect"] == "block"}


@pytest.fixture
def example(tmp_path: Path) -> Path:
    ignore = shutil.ignore_patterns(".*", "__pycache__", "*.sqlite")
    return Path(shutil.copytree(EXAMPLE, tmp_path / "kb_agent", ignore=ignore))


def test_there_are_enough():
    assert len(BREAKS) >= 30


@pytest.mark.parametrize("name", BREAKS)
def test_a_break_blocks(example, name):
    change = BREAKS[name]
    file = example / change.file
    text = file.read_text(encoding="utf-8")
    assert change.old in text
    file.write_text(text.replace(change.old, change.new, 1), encoding="utf-8")
    manifest = gate(example, change.run, change.words)
    assert manifest["decision"]["word"] == "block", manifest["out"]
    assert change.rule in complaints(manifest), manifest["out"]
    if change.rule != "gate.threshold":
        assert change.rule in manifest["out"]


@pytest.mark.parametrize("run", [RECOVERY, CONTRACT, LINT])
def test_what_is_whole_does_not_block(example, run):
    """The same parts, unbroken: a break is seen because of the break."""
    words = {one.words for one in BREAKS.values() if one.run == run}
    manifest = gate(example, run, " or ".join(f"({one})" for one in sorted(words)))
    assert manifest["decision"]["word"] != "block", manifest["out"]
    assert complaints(manifest) == set()
