"""Whether a source points at something, or only repeats what was asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..lazy import lazy
from .presence import is_blank, is_placeholder, leaves, says_something

LABEL_KEYS = frozenset({"type", "kind", "source_type", "provider", "tool", "method"})
"""Keys whose value says what sort of source it is, not which."""

_EDGES = " \t\r\n\"'`“”«»「」.,;:!?。？！"
_INTRODUCED = lazy(
    r"^(?:the )?(?:user )?(?:query|question|search(?: results?)?(?: for)?|input|prompt"
    r"|results? for|answer to|q)\s*[:=]?\s*",
)
_LOCATOR = lazy(
    r"^[a-z][a-z0-9+.-]*:\S+$|^\S*[/\\#@]\S*$|^[^?]*\.[a-z][a-z0-9]{1,4}$"
    r"|^\S*\d\S*$|^\S+[_:]\S+$|^[^?\n]*[/\\][^?\n/\\]+\.\w{1,5}$",
    re.IGNORECASE,
)


def fault_of_source(
    source: Any, tool: str | None, arguments: Mapping[str, Any] | None
) -> str:
    """Say what is wrong with a source, ``""`` where it points at something.

    An argument that is itself an address (a URL, a path, an id) is a source when it
    is repeated; a question is not. A number is an id, zero too.
    """
    if isinstance(source, str):
        folded = _sound(source, tool)
        if folded and not (arguments and _may_echo(folded, arguments)):
            return ""
        return _fault_of_text(source, tool, arguments)
    if source is None or isinstance(source, bool):
        return "it is absent" if source is None else "it is a truth value"
    if not isinstance(source, Mapping | list | tuple):
        return ""
    return _fault_of_parts(source, tool, arguments)


@lru_cache(maxsize=1024)
def _sound(source: str, tool: str | None) -> str:
    """Return a source in lower case where only an echo could be wrong with it."""
    return "" if _fault_of_text(source, tool, None) else source.casefold()


@lru_cache(maxsize=256)
def _beginning(value: str) -> str:
    return value.strip(_EDGES)[:2].casefold()


def _may_echo(folded: str, arguments: Mapping[str, Any]) -> bool:
    """Rule an echo out where no argument's beginning is in the source; cheap."""
    for value in arguments.values():
        if isinstance(value, str):
            if _beginning(value) in folded:
                return True
        elif isinstance(value, dict | list | tuple):
            return True
    return False


def _fault_of_text(
    source: str, tool: str | None, arguments: Mapping[str, Any] | None
) -> str:
    if is_blank(source):
        return "it is blank"
    if is_placeholder(source):
        return "it is a placeholder"
    plain = _plain(source)
    if tool and _is_own_name(plain, tool.casefold()):
        return "it is the tool's own name"
    if arguments and isinstance(arguments, Mapping) and _is_echo(plain, arguments):
        return "it repeats an argument of the call"
    return ""


def _fault_of_parts(
    source: Any, tool: str | None, arguments: Mapping[str, Any] | None
) -> str:
    echoed = ""
    labels = 0
    for key, leaf in leaves(source):
        if not says_something(leaf):
            continue
        fault = _fault_of_text(leaf, tool, arguments) if isinstance(leaf, str) else ""
        if fault:
            echoed = fault
        elif key in LABEL_KEYS and isinstance(leaf, str):
            labels += 1
        else:
            return ""
    if echoed:
        return echoed
    return "" if labels else "nothing in it says anything"


def _plain(text: str) -> str:
    return " ".join(text.strip(_EDGES).casefold().split())


def _is_own_name(plain: str, tool: str) -> bool:
    names = (tool, f"tool:{tool}", f"tool: {tool}", f"{tool} tool", f"the {tool} tool")
    return plain in names or plain in (f"tool {tool}", f"{tool}()")


def _is_echo(plain: str, arguments: Mapping[str, Any]) -> bool:
    introduced = _INTRODUCED.sub("", plain).strip(_EDGES)
    for _, value in leaves(arguments):
        if isinstance(value, str) and value and len(value) < 4_000:
            asked = _plain(value)
            if asked and asked in (plain, introduced):
                return _LOCATOR.match(value.strip()) is None
    return False
