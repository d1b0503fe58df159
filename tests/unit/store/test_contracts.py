"""The contracts file."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_agentgate.contract.tool import FailureMode, ToolContract
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
