"""The contracts file."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_agentgate.contract.tool import (
    FailureMode,
    Provocation,
    Redaction,
    ToolContract,
)
from pytest_agentgate.errors import PolicyError
from pytest_agentgate.store.contracts import load_contracts


def write(folder: Path, text: str) -> Path:
    path = folder / "contracts.yaml"
    path.write_text(text)
    return path


def test_load(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """\
version: 1
tools:
  search:
    side_effect: read_only
    timeout_seconds: 5
    output_schema: {type: object, required: [rows]}
    failure_modes:
    - {name: unreachable, says: ["make serve"]}
  delete: {}
""",
    )
    assert load_contracts(path) == {
        "search": ToolContract(
            name="search",
            side_effect="read_only",
            timeout_seconds=5.0,
            output_schema={"type": "object", "required": ["rows"]},
            failure_modes=(FailureMode(name="unreachable", says=("make serve",)),),
        ),
        "delete": ToolContract(name="delete"),
    }


FULL = """\
version: 1
tools:
  send:
    retry: {attempts: 2, wait_seconds: 5}
    polling: {max_polls: 3}
    redaction: %s
    failure_modes:
    - {name: down, provoked_by: {fault: refused, environment: {X: null}},
       status: error, cause: c, remedy: r, stop: s}
"""


@pytest.mark.parametrize(
    ("redaction", "inputs", "outputs"),
    [
        ("[token]", ("token",), ("token",)),
        ("{inputs: [token]}", ("token",), ()),
        ("{inputs: [], outputs: [id, mail]}", (), ("id", "mail")),
    ],
)
def test_every_field_is_read_strictly_from_yaml(tmp_path, redaction, inputs, outputs):
    send = load_contracts(write(tmp_path, FULL % redaction))["send"]
    assert send.redaction == Redaction(inputs=inputs, outputs=outputs)
    (mode,) = send.failure_modes
    assert mode.provoked_by == Provocation(fault="refused", environment={"X": None})
    assert [field for field, _ in mode.patterns] == ["cause", "remedy", "stop"]
    assert (send.retry.attempts, send.polling.max_polls) == (2, 3)


@pytest.mark.parametrize("redaction", ["token", "{inputs: token}", "{in: [x]}", "[1]"])
def test_a_redaction_that_is_none_is_refused(tmp_path, redaction):
    with pytest.raises(PolicyError, match=r"contracts.yaml:6: .*redaction"):
        load_contracts(write(tmp_path, FULL % redaction))


def test_no_tools(tmp_path: Path) -> None:
    assert load_contracts(write(tmp_path, "version: 1\n")) == {}


@pytest.mark.parametrize(
    ("text", "problem", "way_out"),
    [
        (
            "tools:\n  t: {name: t}",
            "3: unknown key 'name' in tools.t",
            "remove it",
        ),
        (
            "tools:\n  t: {timeout: 4}",
            "3: unknown key 'timeout' in tools.t",
            "did you mean 'timeout_seconds'?",
        ),
        (
            "tools:\n  t: {side_effect: readonly}",
            "3: tools.t.side_effect must be 'read_only', 'reversible_mutation' or "
            "'irreversible_mutation'",
            "did you mean 'read_only'?",
        ),
        ("tools:\n  t:", "3: tools.t must be a mapping", "change tools.t"),
        ("tools: [t]", "2: tools must be a mapping", "change tools"),
        (
            "tools: {t: {timeout_seconds: 0}}",
            "2: tools.t.timeout_seconds must be more than 0",
            "change tools.t.timeout_seconds",
        ),
        (
            "tools:\n  t:\n    failure_modes:\n    - name: x\n      says: [ok, '(']",
            "6: pattern of failure mode 'x' of tool 't' cannot be used: it does not "
            "compile: missing ), unterminated subpattern at position 0",
            "write a simpler pattern; escape what is meant literally",
        ),
        (
            "tools: {t: {failure_modes: [{nam: x}]}}",
            "2: unknown key 'nam' in tools.t.failure_modes[0] (and 1 more problem)",
            "did you mean 'name'?",
        ),
    ],
)
def test_refused(tmp_path: Path, text: str, problem: str, way_out: str) -> None:
    with pytest.raises(PolicyError) as caught:
        load_contracts(write(tmp_path, f"version: 1\n{text}\n"))
    assert caught.value.problem == f"contracts.yaml:{problem}"
    assert caught.value.way_out == way_out
    assert caught.value.docs.startswith("docs/reference/contracts.md#")
