"""Where in the project's files a tool stands, for annotations.

It is looked for, never worked out: the tool's key in the contracts file, else its
name in the JSON file or the Python module of the catalogue.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from .files import read_regular
from .listings import LISTING_BYTES, MCP
from .yaml_reader import read_document


def locate(
    tools: Iterable[str], source: str, contracts: Path | None, folder: Path
) -> dict[str, tuple[str, int]]:
    """Return path and line of each tool that stands in a file of the checkout.

    Args:
        tools: names.
        source: the catalogue, as the user named it; already read.
        contracts: the contracts file.
        folder: where the source's path starts from.

    Returns:
        By tool: the path from the checkout's top, with slashes, and the line from 1.
    """
    names = list(tools)
    places: dict[str, tuple[str, int]] = {}
    file = _file(source, folder)
    if file is not None and (shown := _shown(file)):
        text = read_regular(file, LISTING_BYTES, follow=True).decode("utf-8", "replace")
        lines = _lines(text, names)
        places |= {name: (shown, lines.get(name, 1)) for name in names}
    if contracts is not None and (shown := _shown(contracts)):
        document = read_document(contracts)
        for name in names:
            if line := document.lines.get(("tools", name)):
                places[name] = (shown, line)
    return places


def _file(source: str, folder: Path) -> Path | None:
    if source.startswith(MCP):
        return None
    if source.endswith(".json"):
        return folder / source
    module = sys.modules.get(source.partition(":")[0])
    file = getattr(module, "__file__", None)
    return Path(file) if file and file.endswith(".py") else None


def _shown(path: Path) -> str:
    """Return a path from the checkout's top, ``""`` where it lies outside."""
    here = Path.cwd().resolve()
    tops = [folder for folder in (here, *here.parents) if (folder / ".git").exists()]
    top = tops[0] if tops else here
    resolved = path.resolve()
    return resolved.relative_to(top).as_posix() if resolved.is_relative_to(top) else ""


_NAMED = re.compile(
    r"""\bname["']?\s*[:=]\s*(["'])([^"'\\\n]{1,200})\1|\bdef\s+(\w+)"""
)


def _lines(text: str, names: list[str]) -> dict[str, int]:
    """Return the first line on which each name is given as one, or is defined."""
    wanted = {json.dumps(name)[1:-1]: name for name in names}
    found: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        for match in _NAMED.finditer(line):
            name = wanted.get(match[2] or match[3])
            if name is not None:
                found.setdefault(name, number)
    return found
