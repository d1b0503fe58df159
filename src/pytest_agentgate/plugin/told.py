"""Gather what the agent under test is told, and what its tools are made of."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..environment import Environment
from ..gate.leaks import Told
from ..store.listings import MCP
from ..store.sources import literals


def told(environment: Environment) -> Iterator[Told]:
    """Yield descriptions, system prompt and literals, as far as the policy names them.

    Args:
        environment: what the session judges by.
    """
    for name, contract in environment.contracts.items():
        yield Told(f"the description of {name}", contract.description)
        for path, text in _texts(contract.input_schema):
            yield Told(f"{path} in the input schema of {name}", text)
    if environment.instructions:
        yield Told("the system prompt", environment.instructions)
    call = environment.policy.tools.call
    if call and not call.startswith(MCP):
        module = call.partition(":")[0]
        if (root := _root(module, environment.folder)) is not None:
            yield from literals(root, module)


def _texts(schema: Any) -> Iterator[tuple[str, str]]:
    waiting: list[tuple[str, Any]] = [("", schema)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, str):
            yield path, value
        elif isinstance(value, dict):
            waiting += [(f"{path}/{key}", child) for key, child in value.items()]
        elif isinstance(value, list):
            waiting += [(f"{path}/{place}", child) for place, child in enumerate(value)]


def _root(module: str, folder: Path) -> Path | None:
    """Return where a module of the project is imported from; others are not read."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return None
    path = Path(file).resolve()
    depth = module.count(".") + (path.name == "__init__.py")
    inside = path.is_relative_to(folder.resolve()) and "site-packages" not in path.parts
    return path.parents[depth] if inside else None
