"""What a policy or a command line names as a list of tools."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import PolicyError
from .files import read_regular
from .references import resolve

MCP = "mcp:"
LISTING_BYTES = 10_000_000
TEXT_BYTES = 1_000_000


def read_listing(text: str, folder: Path, over_mcp: Callable[[str], Any]) -> Any:
    """Return the tool definitions that a source names, as they stand there.

    Args:
        text: ``module:attribute``, a ``.json`` file, or ``mcp:`` with a command or URL.
        folder: where files and modules start from.
        over_mcp: lists the tools of the server that stands after ``mcp:``.

    Raises:
        PolicyError: there is no such source, or it is no JSON.
    """
    if text.startswith(MCP):
        return over_mcp(text.removeprefix(MCP))
    if not text.endswith(".json"):
        return resolve(text, folder)
    content = read_regular(folder / text, LISTING_BYTES, follow=True, error=PolicyError)
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise PolicyError(
            f"{text} is not JSON",
            expected="a list of tool definitions",
            seen=str(error),
            way_out="mend the file, or name a list as module:attribute",
            docs="docs/reference/policy.md#tools",
        ) from None


def read_text(text: str, folder: Path) -> str:
    """Return the text that a source names: that of a file, else ``module:attribute``.

    Args:
        text: the source.
        folder: where files and modules start from.

    Raises:
        PolicyError: there is no such source, or it is no text.
    """
    if (folder / text).is_file():
        content = read_regular(folder / text, TEXT_BYTES, follow=True)
        return content.decode("utf-8", errors="replace")
    found = resolve(text, folder)
    if not isinstance(found, str):
        raise PolicyError(
            f"{text!r} is no text",
            expected="a file, or a string as module:attribute",
            seen=type(found).__name__,
            way_out="name the system prompt as it is sent to the model",
            docs="docs/reference/policy.md#target",
        )
    return found
