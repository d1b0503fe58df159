"""The literals in a module's source and in what it imports from beside it.

Nothing is imported for this: the files are parsed. Docstrings are left out, for the
model does not read them; test files too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from ..gate.leaks import Told, pieces
from .files import read_regular

SOURCE_BYTES = 2_000_000
"""A larger file is data, not the source of a tool."""
_TESTS = ("test_", "conftest")
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
_DISPLAYS = ast.List | ast.Tuple | ast.Set | ast.Dict


def literals(root: Path, module: str) -> Iterator[Told]:
    """Yield the texts and collections of texts in a module's source.

    Args:
        root: the folder that modules are imported from; others are left alone.
        module: the module's dotted name.
    """
    seen: set[Path] = set()
    waiting = [module]
    while waiting:
        for file in _files(root, waiting.pop()):
            if file in seen or file.name.startswith(_TESTS):
                continue
            seen.add(file)
            tree = _parsed(file)
            if tree is None:
                continue
            name = file.relative_to(root).as_posix()
            yield from _told(name, tree)
            package = name.rpartition("/")[0].replace("/", ".")
            waiting += _imported(tree, package)


def _files(root: Path, module: str) -> Iterator[Path]:
    """Yield the file of a module and those of the packages that it is in."""
    place = root
    for part in module.split("."):
        if (file := place / f"{part}.py").is_file():
            yield file
        place = place / part
        if (file := place / "__init__.py").is_file():
            yield file


def _parsed(file: Path) -> ast.Module | None:
    try:
        return ast.parse(read_regular(file, SOURCE_BYTES, follow=True))
    except Exception:  # not Python of this version, too large, nested too deep
        return None


def _imported(tree: ast.Module, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".") if package else []
            own = parents[: len(parents) - node.level + 1] if node.level else []
            base = ".".join([*own, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}".strip(".") for alias in node.names)


def _told(name: str, tree: ast.Module) -> Iterator[Told]:
    nodes = list(ast.walk(tree))
    docs = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    inner = {
        id(child)
        for node in nodes
        if isinstance(node, _DISPLAYS)
        for child in ast.walk(node)
        if child is not node
    }
    for node in nodes:
        where = f"{name}:{getattr(node, 'lineno', 0)}"
        phrases: tuple[str, ...] = ()
        if isinstance(node, _DISPLAYS) and id(node) not in inner:
            phrases = _strings(node)
        elif isinstance(node, _FUNCTIONS):
            phrases = _looked_for(node)
        elif isinstance(node, ast.Constant) and id(node) not in docs:
            text = node.value if isinstance(node.value, str) else ""
            yield Told(where, text, literal=True)
            phrases = pieces(text)
        yield Told(where, phrases=phrases, literal=True)


def _strings(node: ast.AST) -> tuple[str, ...]:
    return tuple(
        child.value
        for child in ast.walk(node)
        if isinstance(child, ast.Constant) and isinstance(child.value, str)
    )


def _looked_for(function: ast.AST) -> tuple[str, ...]:
    """Return the texts that a function looks for: ``"a phrase" in query``."""
    return tuple(
        child.left.value
        for child in ast.walk(function)
        if isinstance(child, ast.Compare)
        and isinstance(child.ops[0], ast.In)
        and isinstance(child.left, ast.Constant)
        and isinstance(child.left.value, str)
    )
