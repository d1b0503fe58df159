"""Finding and replacing secrets in texts and values."""

from __future__ import annotations

import base64
import json
import re
import urllib.parse
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .names import ENVIRONMENT_ENDS, is_harmless, is_secret_name, name_words
from .shapes import Span, shaped
from .sieve import sieve

MAX_DEPTH = 100
MAX_PASSES = 8

_SIGNS = (
    *("token", "secret", "passw", "passphrase", "pwd", "key", "credentials"),
    *("authorization", "cookie"),
)
_KEYWORDS = (
    r"token|secret|passw(?:or)?d|passphrase|pwd|apikey|credentials|authorization|cookie"
    r"|password_?hash|(?:api|access|secret|private|signing|encryption|auth)[-_. ]?key"
)
_ASSIGNMENT = r"""
    (?P<sign> \\{0,4} ["']? \s{0,4} [:=]>? \s{0,4} )
    (?: (?P<quote> \\{0,4} ["'] ) (?P<quoted> (?: (?!(?P=quote)) (?:\\.|[^\\]) )+ )
      | (?P<bare> [^\s"'&,;(){}\[\]<>\\|`]+ ) (?P<call> [(\[]? ) )"""
_NAME_REVERSED = re.compile(r"[A-Za-z0-9_.-]*")
_PLACEHOLDER = re.compile(r"\[REDACTED:[\w-]+\]")


class Redactor:
    """Takes secrets out, those of one environment and policy included.

    Args:
        environment: variables whose values are secret where their names say so;
            looked for as they are, in base 64, URL-encoded and JSON-escaped.
        extra_keys: further names whose values are secret, compared without case.
        patterns: further regular expressions of secrets.

    Attributes:
        sieve: a linear pattern that every text with a secret matches, and few
            others; ``None`` where every text must be searched.
    """

    def __init__(
        self,
        environment: Mapping[str, str] | None = None,
        extra_keys: Iterable[str] = (),
        patterns: Iterable[str] = (),
    ) -> None:
        self._names = frozenset(name.lower() for name in extra_keys)
        self._signs = (*self._names, *_SIGNS)
        names = "|".join([*map(re.escape, sorted(self._names)), _KEYWORDS])
        self._named = re.compile(f"(?ixs)(?P<name>(?-x:{names}))" + _ASSIGNMENT)
        known = sorted(_spellings(environment or {}), key=len, reverse=True)
        own = [("environment", "|".join(map(re.escape, known)))] if known else []
        found = [("pattern", pattern) for pattern in patterns]
        # What a policy's own patterns find, a first look cannot know.
        self.sieve = None if found else sieve(self._names, known)
        own += found
        self._own = tuple((kind, re.compile(pattern)) for kind, pattern in own)

    def redact_text(self, text: str) -> str:
        """Return the text with every secret replaced; most text comes back as is."""
        spans = self.secret_spans(text)
        return self._settled(text, spans) if spans else text

    def _settled(self, text: str, spans: list[Span]) -> str:
        # What stood in a secret's shadow may come to light: look again, but not for
        # ever.
        for _ in range(MAX_PASSES):
            text = _spliced(text, spans)
            spans = self.secret_spans(text)
            if not spans:
                break
        return text

    def redact(self, value: Any) -> Any:
        """Return the value with every secret replaced, its structure kept.

        Mappings become dicts; a place that leads back to itself or lies too deep
        becomes ``[REDACTED:cycle]`` or ``[REDACTED:depth]``.
        """
        return _Walk(self).value(value)

    def find_secrets(self, value: Any) -> list[tuple[str, str]]:
        """Return JSON pointer and kind of every secret in a value."""
        walk = _Walk(self)
        walk.value(value)
        return walk.found

    def secret_spans(self, text: str) -> list[Span]:
        """Return where the secrets of a text are, in order, not overlapping."""
        spans: list[Span] = []
        for kind, pattern in self._own:
            spans += [(*m.span(), kind) for m in pattern.finditer(text) if m[0]]
        lowered = text.lower()
        spans += shaped(text, lowered)
        if any(sign in lowered for sign in self._signs):
            spans += self._assigned(text)
        return _apart(text, spans) if spans else spans

    def is_secret_name(self, name: str) -> bool:
        """Whether a name promises a secret, to this redactor."""
        return name.lower() in self._names or is_secret_name(name)

    def _assigned(self, text: str) -> Iterator[Span]:
        """Yield the values that stand beside a secret name inside a text."""
        for match in self._named.finditer(text):
            before = text[max(0, match.start() - 60) : match.start()][::-1]
            prefix = _NAME_REVERSED.match(before)
            assert prefix is not None
            name = prefix[0][::-1] + match["name"]
            if self.is_secret_name(name) and _is_value(match, name):
                group = "bare" if match["quoted"] is None else "quoted"
                yield (*match.span(group), "secret")


class _Walk:
    """One pass over a value; shared and cyclic parts are done once."""

    def __init__(self, redactor: Redactor) -> None:
        self.found: list[tuple[str, str]] = []
        self._redactor = redactor
        # The container itself is kept beside its result, so that ids stay its own.
        self._done: dict[tuple[int, str], tuple[Any, Any]] = {}

    def value(self, value: Any, path: str = "", name: str = "", depth: int = 0) -> Any:
        """Return a part redacted; name is the secret name that it stands under."""
        if isinstance(value, str):
            return self._text(value, path, name)
        if isinstance(value, bytes):
            text = value.decode("utf-8", "surrogateescape")
            return self._text(text, path, name).encode("utf-8", "surrogateescape")
        if isinstance(value, Mapping | list | tuple | set | frozenset):
            return self._container(value, path, name, depth + 1)
        if name and type(value) is int and abs(value) >= 100_000:
            return self._text(str(value), path, name)
        return value

    def _text(self, text: str, path: str, name: str) -> str:
        if name and not is_harmless(text, name):
            self.found.append((path, "secret"))
            return "[REDACTED:secret]"
        spans = self._redactor.secret_spans(text)
        self.found += [(path, kind) for _, _, kind in spans]
        return self._redactor._settled(text, spans) if spans else text

    def _container(self, value: Any, path: str, name: str, depth: int) -> Any:
        if depth > MAX_DEPTH:
            return "[REDACTED:depth]"
        key = (id(value), name)
        if key not in self._done:
            self._done[key] = (value, "[REDACTED:cycle]")
            made = self._made(value, path, name, depth)
            self._done[key] = (value, made)
        return self._done[key][1]

    def _made(self, value: Any, path: str, name: str, depth: int) -> Any:
        if isinstance(value, Mapping):
            return self._mapping(value, path, name, depth)
        items = [
            self.value(item, f"{path}/{index}", name, depth)
            for index, item in enumerate(value)
        ]
        if isinstance(value, set | frozenset):
            return type(value)(items)
        if isinstance(value, tuple):
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
        return items

    def _mapping(
        self, value: Mapping[Any, Any], path: str, name: str, depth: int
    ) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key, item in value.items():
            shown, here = key, name
            if isinstance(key, str):
                shown = self._text(key, path, "")
                here = key if self._redactor.is_secret_name(key) else name
            while shown in made:
                shown = f"{shown}'"
            place = str(shown).replace("~", "~0").replace("/", "~1")
            made[shown] = self.value(item, f"{path}/{place}", here, depth)
        return made


def _is_value(match: re.Match[str], name: str) -> bool:
    """Whether what follows a name is its value, rather than prose or code."""
    if match["quoted"] is not None:
        return not is_harmless(match["quoted"], name)
    bare = match["bare"]
    if match["call"] or len(bare) < 4 or is_harmless(bare, name):
        return False
    glued = match["sign"] == "="
    return glued or len(bare) >= 16 or any(char.isdigit() for char in bare)


def _apart(text: str, spans: list[Span]) -> list[Span]:
    """Order spans, join those that overlap, leave out what was redacted before."""
    done = [match.span() for match in _PLACEHOLDER.finditer(text)]
    starts, known = [start for start, _ in done], set(done)

    def inside(place: int) -> bool:
        index = bisect_left(starts, place) - 1
        return index >= 0 and place < done[index][1]

    joined: list[Span] = []
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
        if (start, end) in known or inside(start) or inside(end):
            continue
        if joined and start < joined[-1][1]:
            first, last, first_kind = joined[-1]
            joined[-1] = (first, max(last, end), first_kind)
        else:
            joined.append((start, end, kind))
    return joined


def _spliced(text: str, spans: list[Span]) -> str:
    parts, at = [], 0
    for start, end, kind in spans:
        parts += [text[at:start], f"[REDACTED:{kind}]"]
        at = end
    return "".join([*parts, text[at:]])


def _spellings(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the secret values of an environment in the forms that they travel in."""
    for name, value in environment.items():
        words = name_words(name)
        named = is_secret_name(name) or words[-1:] in ENVIRONMENT_ENDS
        if named and len(value) >= 8 and not is_harmless(value, "token"):
            raw = value.encode("utf-8", "surrogateescape")
            yield value
            yield urllib.parse.quote(raw, safe="")
            yield json.dumps(value)[1:-1]
            yield base64.b64encode(raw).decode("ascii").rstrip("=")
            yield base64.urlsafe_b64encode(raw).decode("ascii").rstrip("=")
