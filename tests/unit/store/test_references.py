"""``module:attribute`` is resolved from the policy's folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_agentgate.errors import PolicyError
from pytest_agentgate.store.references import resolve


@pytest.fixture(autouse=True)
def undo() -> Iterator[None]:
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gk_tools.py").write_text(
        "import gk_near\nclass Box: value = gk_near.VALUE\ndef execute(): ...\n"
    )
    (tmp_path / "gk_near.py").write_text("VALUE = 7\n")
    (tmp_path / "gk_bad.py").write_text("1 / 0\n")
    (tmp_path / "gk_exit.py").write_text("raise SystemExit(3)\n")
    (tmp_path / "gk_needs.py").write_text("import gk_no_such_library\n")
    package = tmp_path / "gk_agent"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "tools.py").write_text("TOOLS = ()\n")
    return tmp_path


def refusal(reference: str, base: Path) -> PolicyError:
    with pytest.raises(PolicyError) as caught:
        resolve(reference, base)
    return caught.value


def test_found(folder: Path) -> None:
    assert resolve("gk_tools:Box.value", folder) == 7
    assert resolve("gk_agent.tools:TOOLS", folder) == ()
    assert sys.path[0] == str(folder)
    assert sys.path.count(str(folder)) == 1


@pytest.mark.parametrize("text", ["gk_tools", "gk_tools:", ":x", "a b:c", "a:b:c", ""])
def test_no_reference(folder: Path, text: str) -> None:
    assert str(refusal(text, folder)) == (
        f"{text!r} is no reference\n"
        "  expected: module:attribute, such as agent.tools:execute_tool\n"
        f"  seen:     {text!r}\n"
        "  way out:  put a colon between the module and what is in it\n"
        "  docs:     docs/reference/policy.md#references"
    )


def test_no_module(folder: Path) -> None:
    error = refusal("gk_tool:execute", folder)
    assert error.problem == "'gk_tool:execute': there is no module 'gk_tool'"
    assert error.seen == (
        "modules there: gk_agent, gk_bad, gk_exit, gk_near, gk_needs, gk_tools"
    )
    assert error.way_out == "did you mean 'gk_tools'?"


def test_no_submodule(folder: Path) -> None:
    error = refusal("gk_agent.tool:TOOLS", folder)
    assert error.problem == "'gk_agent.tool:TOOLS': there is no module 'gk_agent.tool'"


def test_an_empty_folder(tmp_path: Path) -> None:
    error = refusal("gk_nothing:x", tmp_path)
    assert error.seen == "modules there: none"
    assert error.way_out == "check the policy's folder"


def test_no_attribute(folder: Path) -> None:
    error = refusal("gk_tools:exekute", folder)
    assert error.problem == "'gk_tools:exekute': gk_tools has no 'exekute'"
    assert error.way_out == "did you mean 'execute'?"
    assert refusal("gk_tools:Box.valu", folder).way_out == "did you mean 'value'?"


@pytest.mark.parametrize(
    ("module", "seen"),
    [
        ("gk_bad", "ZeroDivisionError: division by zero"),
        ("gk_exit", "SystemExit: 3"),
        ("gk_needs", "ModuleNotFoundError: No module named 'gk_no_such_library'"),
    ],
)
def test_an_import_that_fails(folder: Path, module: str, seen: str) -> None:
    error = refusal(f"{module}:x", folder)
    assert error.problem == f"'{module}:x': its import failed"
    assert error.seen == seen
    assert error.__cause__ is not None
