"""Where a result, its arguments or its logs show a secret."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...contract.observation import ToolResult
from ...redaction import Redactor
from ..context import Context
from .glance import PLAIN, glance, named, show, topics
from .walk import nodes

LEAKS_LIMIT = 5
CHARS_LIMIT = 4_000_000
"""Characters of one result that are searched."""

_SCALARS = frozenset({str, int, float, bool, type(None)})
_MASKED = re.compile(
    r"\s*|.{0,60}\[?redacted.{0,60}|(?:[*x•.#_-]|\\u2022)+|.{0,6}[*•.…x]{3,}.{0,6}"
    r"|<[^<>]{1,40}>|none|null|n/a|hidden|masked|removed",
    re.IGNORECASE | re.DOTALL,
)


class Leak(NamedTuple):
    """One secret that was shown.

    Attributes:
        place: ``result``, ``arguments`` or ``log``.
        kind: what kind of secret.
        path: JSON pointer, ``""`` in a text.
    """

    place: str
    kind: str
    path: str


def leaks(
    result: ToolResult, context: Context, declared: Iterable[str] = ()
) -> list[Leak]:
    """List the secrets of a result, its arguments and its logs; five at most.

    Args:
        result: the result.
        context: arguments, logs and the redactor in force.
        declared: names whose values the contract promises not to show. An argument
            under such a name is redacted where it is recorded, and is no leak.
    """
    redactor = context.redactor or PLAIN
    names = frozenset(_plain(name) for name in declared)
    found: dict[tuple[str, str], Leak] = {}
    for leak in _all(result, context, redactor, names):
        found.setdefault((leak.place, leak.path or leak.kind), leak)
        if len(found) == LEAKS_LIMIT:
            break
    return list(found.values())


def _all(
    result: ToolResult, context: Context, redactor: Redactor, names: frozenset[str]
) -> Iterator[Leak]:
    if "secret" in topics(result, context.redactor):
        yield from _in_result(result, context)
    if names:
        yield from _declared(result, names)
    arguments = context.arguments
    if arguments and may_hold_secret(arguments, redactor):
        for path, kind in redactor.find_secrets(arguments):
            if names.isdisjoint(_plain(part) for part in path.split("/")):
                yield Leak("arguments", kind, path)
    for line in context.logs:
        for _, _, kind in redactor.secret_spans(line):
            yield Leak("log", kind, "")


def may_hold_secret(arguments: Mapping[str, Any], redactor: Redactor | None) -> bool:
    """Take a first look at a call's arguments; careful, and quick for plain ones."""
    plain = type(arguments) is dict and _SCALARS.issuperset(
        map(type, arguments.values())
    )
    text = repr(arguments) if plain else show(arguments)
    return "secret" in named(text, redactor or PLAIN)


def _in_result(result: ToolResult, context: Context) -> Iterator[Leak]:
    redactor = context.redactor or PLAIN
    text = glance(result, context.redactor).text
    if len(text) > CHARS_LIMIT:
        for _, _, kind in redactor.secret_spans(text[:CHARS_LIMIT]):
            yield Leak("result", kind, "")
        return
    found = False
    for value in _parts(result):
        # A text that was read as fields holds their secrets once more.
        if found and isinstance(value, str):
            return
        for path, kind in redactor.find_secrets(value):
            if kind == "secret" and _is_masked(_at(value, path), redactor):
                continue
            found = True
            yield Leak("result", kind, path)


def _is_masked(value: Any, redactor: Redactor) -> bool:
    """Whether what stands there is the rest of a mask, such as ``****9921``."""
    if not isinstance(value, str) or _MASKED.fullmatch(value[:200]):
        return isinstance(value, str)
    spans = redactor.secret_spans(value)
    return bool(spans) and all(_MASKED.fullmatch(value[s:e][:200]) for s, e, _ in spans)


def _at(value: Any, path: str) -> Any:
    """Follow a JSON pointer; ``None`` where it leads nowhere."""
    for token in path.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, list | tuple) and name.isdecimal():
            value = value[int(name)] if int(name) < len(value) else None
        else:
            return None
    return value


def _parts(result: ToolResult) -> Iterator[Any]:
    observation = result.observation
    fields = None if observation is None else observation.fields
    if fields:
        yield fields
    elif observation is not None and result.text is None:
        yield observation.payload
    if result.structured is not None and result.structured is not fields:
        yield result.structured
    if result.text is not None:
        yield result.text
    if result.raised is not None:
        yield result.raised


def _declared(result: ToolResult, names: frozenset[str]) -> Iterator[Leak]:
    for value in _parts(result):
        if isinstance(value, str):
            continue
        for path, key, node in nodes(value):
            if _plain(key) not in names or isinstance(node, Mapping | list | tuple):
                continue
            if _shows(node):
                yield Leak("result", f"declared for redaction as {key}", path)


def _shows(value: Any) -> bool:
    if value is None or isinstance(value, bool):
        return False
    return _MASKED.fullmatch(str(value)[:200]) is None


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
