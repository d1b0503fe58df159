"""What advice calls for by name: tools, and parameters of the failed call."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..lazy import lazy

NAME = r"(?<![A-Za-z0-9_-])[A-Za-z][A-Za-z0-9]{0,63}(?:[_-][A-Za-z0-9]{1,63}){1,9}"
TEXT_LIMIT = 4_000

_NOT_CODE = r"(?![\w=/\\-]|\.\w|\(\))"
_CALLED = lazy(
    rf"\b(?:call|invoke|poll|rufe|rufen sie|llame a|llama a|appelez"
    rf"|appelle)\s+(?:the\s+"
    rf"|tool\s+|das\s+|la herramienta\s+|l'outil\s+)*[`'\"]?({NAME}){_NOT_CODE}"
    rf"|(?:调用|呼叫|使用)(?:工具)?\s*[`'\"「]?({NAME})[`'\"」]?\s*(?:工具)?{_NOT_CODE}"
    rf"|[`'\"「]?({NAME})[`'\"」]?\s*(?:ツール)?を(?:呼び出|実行し)"
    rf"|[`'\"]?({NAME})[`'\"]?\s+(?:tool|werkzeug|ツール|工具)\b"
    rf"|\b(?:tool|tools|werkzeug|herramienta|outil)\s+[`'\"]?({NAME}){_NOT_CODE}"
    rf"|\b(?:call|invoke|poll)\s+[`'\"]([A-Za-z]\w{{2,}})[`'\"](?!\s*(?:function"
    rf"|method|on))",
    re.IGNORECASE,
)
_WHOLE_CALL = lazy(rf"^\s*[`'\"]?({NAME})\([^()\n]*\)[`'\"]?\s*\.?\s*$")
_RETRIED = lazy(rf"\b(?:retry|re-run|rerun|repeat)\s+({NAME}){_NOT_CODE}", re.I)
_ALTERNATIVE = lazy(r",?\s+or\s+|;\s*(?:or|otherwise)\s+|\s+oder\s+|\s+ou\s+|\s+o\s+")

_PARAMETER = lazy(
    r"\b(?:drop|remove|omit|set|pass|add|use|change|correct|without|leave out|supply"
    r"|unset"
    r"|lower|raise|reduce|increase|with)\s+(?:the\s+|a\s+|an\s+|your\s+)?(?:"
    r"[`'\"]?([A-Za-z]\w*)\s*=\s*[^\s,;]+"
    r"|[`'\"]?([A-Za-z]\w*)(?:=[^\s,;]+)?[`'\"]?\s+(?:parameter|argument|filter"
    r"|param)\b"
    r"|(?:parameter|argument|filter|param)\s+[`'\"]([A-Za-z]\w*)[`'\"])",
    re.IGNORECASE,
)
_MARKS = frozenset("'`\"=_")


def unknown_tools(text: str, known: frozenset[str]) -> list[str]:
    """List tools that a text calls for and that do not exist.

    A name counts where it is called for ("call get_job", "use the get_job tool", or a
    whole line ``get_job(id)``); words, commands, file names and dotted or empty-handed
    function calls do not. A step with an alternative that can be taken is no dead end.
    """
    text = text[:TEXT_LIMIT]
    lines = text.split("\n")
    found: list[str] = []
    for line in lines:
        options = _ALTERNATIVE.split(line)
        missing = [_missing(option, known) for option in options]
        if all(missing):
            found += [name for names in missing for name in names]
    return list(dict.fromkeys(found))


def _missing(option: str, known: frozenset[str]) -> list[str]:
    called = [name for name in _called(option) if name not in known]
    called += [
        name
        for name in _RETRIED.findall(option)
        if name not in known and difflib.get_close_matches(name, known, 1, 0.8)
    ]
    return called


def _called(text: str) -> Iterator[str]:
    whole = _WHOLE_CALL.match(text)
    if whole:
        yield whole[1]
    for match in _CALLED.finditer(text):
        yield next(name for name in match.groups() if name)


def unknown_parameters(
    text: str, schema: Mapping[str, Any], known_tools: frozenset[str], tool: str
) -> list[str]:
    """List parameters that a text names and that the tool's input schema lacks.

    Only names that are marked as one count (``kind='x'``, "the 'kind' filter"). Advice
    to call another tool names that tool's parameters, and is left alone.
    """
    text = text[:TEXT_LIMIT]
    names = _property_names(schema)
    if not names or any(other != tool and other in text for other in known_tools):
        return []
    found: list[str] = []
    for match in _PARAMETER.finditer(text):
        name = next(name for name in match.groups() if name)
        if not _MARKS.isdisjoint(match[0]) and not name.isupper() and name not in names:
            found.append(name)
    return list(dict.fromkeys(found))


def _property_names(schema: Mapping[str, Any]) -> set[str]:
    names: set[str] = set()
    pending: list[Any] = [schema]
    for _ in range(500):
        if not pending:
            break
        node = pending.pop()
        if isinstance(node, Mapping):
            properties = node.get("properties")
            if isinstance(properties, Mapping):
                names.update(map(str, properties))
            pending += list(node.values())
        elif isinstance(node, list):
            pending += node
    return names
