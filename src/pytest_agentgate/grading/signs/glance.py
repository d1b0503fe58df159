"""A first look at everything a result says: which topics can be in it at all.

Most results are small and harmless. One linear search over all their texts tells so,
and the rules about texts then have nothing to do. A topic that is named may turn out
not to be there; one that is not named is not there.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic_core import SchemaError, SchemaValidator, core_schema

from ...contract.observation import ToolResult
from ...redaction import Redactor
from .walk import nodes

PLAIN = Redactor()
"""Knows secrets by name and shape alone."""

TOPICS = {
    "failure": (
        r"error|exception|fail|fault|unable|could ?n[o']t|can(?:not|'t)|: false|stderr"
        r"|(?:http|response)_?status|status_?code|exit_?code|return_?code"
        r"|'status': [45]|http[^a-z]{0,3}(?:status )?[45]\d\d|abort|overload|reset"
        r"|lost|closed|traceback"
        r"|(?:finish|stop|termination)_?reason|time[d_ -]{0,2}out|unreachable|refused"
        r"|denied|forbidden|unauthori|invalid|no such|exceeded|too many|unavailable"
        r"|gateway|fatal|panic|missing|not (?:found|permitted|allowed)|connection"
        r"|not_?(?:sent|saved|processed|delivered|written|updated|created|moved"
        r"|imported)"
        r"|reject|unsent|unsaved|unprocessed|undelivered|bounced|dropped|<html"
        r"|<!doctype"
        r"|<\?xml|fehl|konnte|zugriff|zeit|no se|fall|acceso|tiempo|erreur|échec|échou"
        r"|impossible|accès|délai|erro|falha|não|fout|impossibile|エラー|失敗|例外"
        r"|できま"
        r"|错误|失败|异常|无法|拒绝|超时|오류|실패|ошибка|не удалось"
    ),
    "markup": r"<!doctype|<\?xml|</[a-z]|<html|<body|<head",
    "trace": (
        r"traceback|stack ?trace|file [\\\"']|line \d|goroutine|panic|at [\w$.<>/]+ ?\("
        r"|exception in|site-packages|dist-packages|node_modules|venv/"
        r"|lib/python|[\w-]/[\w./-]*\.(?:py|js|ts|rb|php|go|java|rs|cs|mjs)|:\\+\w"
        r"|\.rb:\d|#0 "
    ),
    "orders": (
        r"ignor|disregard|forget|overrid|bypass|instruct|system|assistant|prompt|you "
        r"are no"
        r"|\[/?inst|<\||<<sys|(?:not|n't|never|without) (?:tell|inform|notify|alert"
        r"|warn"
        r"|mention)|(?:developer|admin|administrator|operator) ?\w* ?:|<admin"
        r"|<developer"
        r"|(?:^|[^a-z])ai[^a-z]|llm|language model|chat ?bot|gpt|claude|copilot|gemini"
        r"|anweisung|vergiss|ignorier|instruccion|olvida|consigne|oublie|istruzioni"
        r"|instru"
        r"|指示|命令|指令|忽略|无视|忘记|ルール|プロンプト|不要理会"
    ),
    "base64": (
        r"base64|[a-z0-9+/_-]{128}|(?:\\+x[0-9a-f]{2}[^\\]{0,3}){6}"
        r"|(?:[\x00-\x08\x0e-\x1f\x7f-\x9f][^\n]{0,3}){6}"
        r"|(?:[a-z0-9+/]{60,80}(?:\\[rn]|\s){1,2}){4}"
    ),
}
"""By topic, a pattern that every text about it matches; matched without case."""

Matcher = Callable[[str], bool]


class Glance(NamedTuple):
    """What the first look showed.

    Attributes:
        redactor: whose secrets were looked for.
        topics: what may be in the texts: the keys of ``TOPICS``, and ``secret``.
        text: all that was looked at.
    """

    redactor: Redactor | None
    topics: frozenset[str]
    text: str


def topics(result: ToolResult, redactor: Redactor | None = None) -> frozenset[str]:
    """Return the topics that may be in a result."""
    kept = result.glance
    if kept is not None and kept[0] is redactor:
        found: frozenset[str] = kept[1]
        return found
    return glance(result, redactor).topics


def glance(result: ToolResult, redactor: Redactor | None = None) -> Glance:
    """Look at a result once; the answer is kept with it."""
    kept = result.glance
    if kept is not None and kept[0] is redactor:
        made: Glance = kept
        return made
    text = shown(result)
    result.glance = made = Glance(redactor, named(text, redactor or PLAIN), text)
    return made


def named(text: str, redactor: Redactor = PLAIN) -> frozenset[str]:
    """Return the topics that may be in a text."""
    whole, single = _matchers(redactor)
    if not whole(text):
        return frozenset()
    return frozenset(topic for topic, found in single if found(text))


def shown(result: ToolResult) -> str:
    """Return all that a result says, keys and values, as one text."""
    observation = result.observation
    fields = None if observation is None else observation.fields
    if result.form == "mapping" and fields and not result.defects:
        return repr(fields)
    parts = [] if result.text is None else [result.text]
    if fields:
        parts.append(_show(fields, result))
    elif observation is not None and not isinstance(observation.payload, str):
        parts.append(_show(observation.payload, result))
    if result.structured is not None and result.structured is not fields:
        parts.append(_show(result.structured, result))
    if result.raised is not None:
        parts.append(result.raised)
    return "\n".join(parts)


def show(value: Any) -> str:
    """Return what a value says, whatever it is made of, and in bounded time."""
    parts = []
    for _, key, node in nodes(value):
        if isinstance(node, str | int | float) or node is None:
            parts.append(f"{key!r}: {node!r}")
    return "\n".join(parts)


def _show(value: Any, result: ToolResult) -> str:
    # repr of plain values is fast and whole; anything else may run its own code.
    return show(value) if result.defects else repr(value)


@lru_cache(maxsize=32)
def _matchers(redactor: Redactor) -> tuple[Matcher, tuple[tuple[str, Matcher], ...]]:
    secret: Matcher
    whole: Matcher
    patterns = {topic: f"(?i:{pattern})" for topic, pattern in TOPICS.items()}
    secret = whole = _always
    with suppress(SchemaError):  # a sieve too large, or of lone surrogates: search all
        if redactor.sieve is not None:
            whole = _compile("|".join([redactor.sieve, *patterns.values()]))
            secret = _compile(redactor.sieve)
    single = {topic: _compile(pattern) for topic, pattern in patterns.items()}
    return whole, (("secret", secret), *single.items())


def _compile(pattern: str) -> Matcher:
    schema = core_schema.str_schema(pattern=pattern, regex_engine="rust-regex")
    matches = SchemaValidator(schema).isinstance_python

    def found(text: str) -> bool:
        # A text with a lone surrogate is no text to that engine: look closer.
        return matches(text) or not (text.isascii() or _is_unicode(text))

    return found


def _always(text: str) -> bool:  # noqa: ARG001 - a matcher takes the text
    return True


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
