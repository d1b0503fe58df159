"""``init``: write a policy and a first test for the tool layer that is found.

Nothing of the project is imported or run: its files are read as source. A
*dispatcher* is a function of two parameters named like ``execute_tool``; a
*catalogue* is a module-level list of mappings that have a ``name`` and a schema.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import AgentGateError
from ..store.files import write_atomic

POLICY = "agentgate.yaml"
TEST = "test_agentgate.py"
_SKIPPED = {"site-packages", "node_modules", "build", "dist", "__pycache__"}
_DISPATCHERS = ("execute_tool", "call_tool", "dispatch_tool", "run_tool", "dispatch")
_SCHEMAS = ("input_schema", "inputSchema", "parameters", "function")
_FILE_LIMIT = 2_000


@dataclass(frozen=True)
class Found:
    """What the project's source shows of its tool layer.

    Attributes:
        dispatcher: ``module:function``, if one was found.
        catalogue: ``module:NAME`` of the tool list, if one was found.
        tools: the tools' names, as far as they are literals.
    """

    dispatcher: str | None = None
    catalogue: str | None = None
    tools: tuple[str, ...] = ()


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the verb."""
    parser = verbs.add_parser("init", help="write a policy and a first test")
    parser.add_argument(
        "directory", type=Path, nargs="?", default=Path(), metavar="DIR"
    )
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Write both files; neither may be there yet."""
    root: Path = given.directory
    tests = root / "tests" if (root / "tests").is_dir() else root
    targets = (root / POLICY, tests / TEST)
    for path in targets:
        if path.exists():
            raise AgentGateError(
                f"{path} is there already",
                expected="a project without a gate",
                seen=str(path),
                way_out="edit it by hand, or remove it to start over",
            )
    found = find(root)
    write_atomic(targets[0], policy_text(root.resolve().name, found))
    write_atomic(targets[1], test_text(found))
    say = sys.stdout.write
    say(f"dispatcher: {found.dispatcher or 'none found: fill in tools.call'}\n")
    say(f"catalogue:  {found.catalogue or 'none found: fill in tools.catalogue'}\n")
    for path in targets:
        say(f"wrote {path}\n")
    say("next: pytest --agentgate\n")
    return 0


def find(root: Path) -> Found:
    """Look for a dispatcher and a catalogue in the project's Python files."""
    dispatchers: list[tuple[int, str]] = []
    catalogues: list[tuple[str, tuple[str, ...]]] = []
    for path in _sources(root):
        try:
            tree = ast.parse(path.read_text("utf-8"))
        except (OSError, SyntaxError, ValueError):
            continue
        module = _module(path.relative_to(root))
        for node in tree.body:
            if rank := _dispatcher_rank(node):
                dispatchers.append((rank, f"{module}:{node.name}"))  # type: ignore[attr-defined]
            elif tools := _catalogue(node):
                catalogues.append((f"{module}:{_target(node)}", tools))
    best = max(catalogues, key=lambda entry: len(entry[1]), default=(None, ()))
    return Found(
        dispatcher=min(dispatchers)[1] if dispatchers else None,
        catalogue=best[0],
        tools=best[1],
    )


def _sources(root: Path) -> Iterator[Path]:
    count = 0
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).parts
        if any(part.startswith(".") or part in _SKIPPED for part in parts):
            continue
        if path.name.startswith("test_") or "tests" in parts:
            continue
        count += 1
        if count > _FILE_LIMIT:
            return
        yield path


def _module(path: Path) -> str:
    parts = list(path.with_suffix("").parts)
    if parts[0] == "src":
        parts = parts[1:]
    if parts[-1] == "__init__":
        parts = parts[:-1]
    return ".".join(parts)


def _dispatcher_rank(node: ast.stmt) -> int:
    """Return 1 for the best name, more for others, 0 for no dispatcher."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return 0
    if node.name not in _DISPATCHERS or len(node.args.args) != 2:
        return 0
    return _DISPATCHERS.index(node.name) + 1


def _target(node: ast.stmt) -> str:
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    if isinstance(node, ast.AnnAssign):
        target = node.target
    return target.id if isinstance(target, ast.Name) else ""


def _catalogue(node: ast.stmt) -> tuple[str, ...]:
    """Return the tool names of a module-level list of definitions, if it is one."""
    value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
    if not isinstance(value, (ast.List, ast.Tuple)) or not _target(node):
        return ()
    names = [_tool_name(entry) for entry in value.elts]
    return tuple(name for name in names if name) if any(names) else ()


def _tool_name(entry: ast.expr) -> str:
    if not isinstance(entry, ast.Dict):
        return ""
    fields = {
        key.value: value
        for key, value in zip(entry.keys, entry.values, strict=True)
        if isinstance(key, ast.Constant)
    }
    if not any(schema in fields for schema in _SCHEMAS):
        return ""
    if isinstance(fields.get("function"), ast.Dict):
        return _tool_name(fields["function"])
    name = fields.get("name")
    return str(name.value) if isinstance(name, ast.Constant) else ""


def policy_text(project: str, found: Found) -> str:
    """Write the policy: what was found, and comments for what was not."""
    call = (
        f"  call: {found.dispatcher}"
        if found.dispatcher
        else "  # call: your.module:execute_tool"
    )
    listed = found.catalogue or "your.module:TOOLS"
    mark = "" if found.catalogue else "# "
    tools = "tools:" if found.dispatcher or found.catalogue else "# tools:"
    return f"""\
version: 1
target: {{id: {project}, version: git}}
{tools}
{call}
  {mark}catalogue: {listed}
# Where your results keep the contract's fields; leave it out where names agree.
# observation:
#   status: {{from: ok, when: {{"true": success, "false": error}}}}
#   summary: [error.message, message]
#   payload: data
#   source: meta.origin
#   next_actions: error.hint
rules: {{profile: adopt}}
gates:
  recovery: {{metric: pass^k, k: 3, threshold: 1.0}}
"""


def test_text(found: Found) -> str:
    """Write the first test: every tool, called wrongly, must help the caller on."""
    tools = found.tools or ("your_tool",)
    listed = "\n".join(f'    "{tool}",' for tool in tools)
    return f'''\
"""The first gate: a tool that is called wrongly must say how to recover."""

import pytest

TOOLS = [
{listed}
]


@pytest.mark.agentgate("recovery")
@pytest.mark.parametrize("tool", TOOLS)
def test_unknown_argument(agentgate, tool):
    observation = agentgate.call(tool, {{"no_such_argument": 1}})
    assert observation.status == "error"


# A whole run must have seen every tool of the catalogue succeed, too: write for each a
# call that does.
#
# @pytest.mark.agentgate
# def test_success(agentgate):
#     assert agentgate.call("{tools[0]}", {{}}).status == "success"
'''
