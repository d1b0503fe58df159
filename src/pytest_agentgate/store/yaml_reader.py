"""The part of YAML that our files use, with the line of everything in them.

Read are one document of mappings, lists and scalars. Plain scalars are null, a
boolean or a number only where YAML 1.2 and JSON agree on it (``true``, ``3``,
``0.90``); all else is text: ``no``, ``on``, ``017``, ``1_000``, ``12:30``,
``2026-01-31``. Refused, each with its line: anchors and aliases, tags, merge keys,
duplicate keys, several documents, and what is too large or too deep. Limits are
checked while reading, before anything is built.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import yaml

from ..errors import PolicyError
from .files import read_regular

MAX_BYTES = 1_000_000
MAX_DEPTH = 50
MAX_NODES = 50_000
MAX_DIGITS = 400

DOCS = "docs/reference/policy.md#yaml"
PathTuple = tuple[str | int, ...]

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]")


@dataclass(frozen=True, slots=True)
class Document:
    """A file's content and where everything in it stands.

    Attributes:
        name: how messages name the file.
        data: the top-level mapping: plain dicts, lists and scalars; keys are text.
        raw: the file's bytes.
        lines: line of each key or item, by its path from the top.
    """

    name: str
    data: dict[str, Any]
    raw: bytes = field(repr=False)
    lines: dict[PathTuple, int] = field(repr=False)

    def line(self, path: PathTuple) -> int:
        """Return the line of a path, or of the nearest place above it."""
        for end in range(len(path), -1, -1):
            if path[:end] in self.lines:
                return self.lines[path[:end]]
        return 1


def read_document(path: Path) -> Document:
    """Read a YAML file.

    Raises:
        PolicyError: the file is not there, or is not what this module reads.
    """
    raw = read_regular(path, MAX_BYTES, follow=True, error=PolicyError)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        _refuse(
            path.name,
            line,
            "not UTF-8",
            seen=f"byte 0x{raw[error.start]:02x}",
            expected="text in UTF-8",
            way_out="save the file as UTF-8",
        )
    return _parse(text, path.name, raw)


def parse_document(text: str, name: str) -> Document:
    """Read YAML text; the name stands in messages.

    Raises:
        PolicyError: with file and line, what was expected, seen, and the way out.
    """
    return _parse(text, name, text.encode("utf-8", "surrogatepass"))


def _parse(text: str, name: str, raw: bytes) -> Document:
    builder = _Builder(name)
    try:
        for event in _events(text):
            builder.take(event)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else text.count("\n", 0, _position(error)) + 1
        said = getattr(error, "problem", None) or getattr(error, "reason", "")
        _refuse(
            name,
            line,
            f"not YAML: {said or 'unreadable'}",
            expected="YAML",
            seen=_excerpt(text, line),
            way_out="mend the line, or quote the text",
        )
    data = builder.root
    if builder.empty or data is None:
        _refuse(
            name,
            1,
            "the file is empty",
            expected="a mapping: 'version: 1' first",
            seen="nothing",
            way_out="write 'version: 1', or remove the file",
        )
    if not isinstance(data, dict):
        _refuse(
            name,
            builder.lines[()],
            "the file is not a mapping",
            expected="keys with values, such as 'version: 1'",
            seen="a list" if isinstance(data, list) else repr(data)[:60],
            way_out="give every entry a key",
        )
    return Document(name, data, raw, builder.lines)


def _events(text: str) -> Iterator[Any]:
    loader = _LOADER(text)
    try:
        while loader.check_event():
            yield loader.get_event()
    finally:
        loader.dispose()


class _Builder:
    """Plain data from parse events, refusing on the way what we do not read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.root: Any = None
        self.empty = True
        self.lines: dict[PathTuple, int] = {}
        self._documents = 0
        self._nodes = 0
        # Per open collection: the container, its path, and a mapping's waiting key.
        self._open: list[tuple[Any, PathTuple]] = []
        self._keys: list[str | None] = []

    def take(self, event: Any) -> None:
        """Take the next event."""
        line = event.start_mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent):
            self._start_document(event, line)
        elif isinstance(event, yaml.AliasEvent):
            self._no_anchor(line, f"*{event.anchor}")
        elif isinstance(event, yaml.CollectionEndEvent):
            self._open.pop()
            self._keys.pop()
        elif isinstance(event, yaml.NodeEvent):
            self._node(event, line)

    def _start_document(self, event: Any, line: int) -> None:
        self._documents += 1
        if self._documents > 1:
            _refuse(
                self.name,
                line,
                "a second document",
                expected="one document",
                seen="'---'",
                way_out="put everything into one document",
            )
        if event.tags or event.version:
            _refuse(
                self.name,
                line,
                "a YAML directive",
                expected="none",
                seen="a line starting with '%'",
                way_out="remove the line",
            )

    def _node(self, event: Any, line: int) -> None:
        self._count(line)
        if event.anchor is not None:
            self._no_anchor(line, f"&{event.anchor}")
        if event.tag is not None:
            _refuse(
                self.name,
                line,
                "a tag",
                expected="plain values",
                seen=event.tag,
                way_out="remove the tag; quote what is to be text",
            )
        awaits_key = bool(self._open) and isinstance(self._open[-1][0], dict)
        if awaits_key and self._keys[-1] is None:
            self._key(event, line)
        elif isinstance(event, yaml.ScalarEvent):
            self._place(self._scalar(event, line), line)
        else:
            value: Any = [] if isinstance(event, yaml.SequenceStartEvent) else {}
            self._open.append((value, self._place(value, line)))
            self._keys.append(None)

    def _count(self, line: int) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            _refuse(
                self.name,
                line,
                "too many entries",
                seen="more",
                expected=f"at most {MAX_NODES:,}",
                way_out="split the file",
            )
        if len(self._open) >= MAX_DEPTH:
            _refuse(
                self.name,
                line,
                "nested too deep",
                seen="more",
                expected=f"at most {MAX_DEPTH} levels",
                way_out="flatten it",
            )

    def _key(self, event: Any, line: int) -> None:
        if not isinstance(event, yaml.ScalarEvent):
            _refuse(
                self.name,
                line,
                "a key that is not text",
                expected="a word as key",
                seen="a list or mapping",
                way_out="quote it if it is a word",
            )
        if event.value == "<<" and not event.style:
            _refuse(
                self.name,
                line,
                "a merge key",
                expected="every key written out",
                seen="<<",
                way_out="repeat the keys",
            )
        mapping, path = self._open[-1]
        here = (*path, event.value)
        if event.value in mapping:
            _refuse(
                self.name,
                line,
                f"key {event.value!r} is given twice",
                expected="every key once",
                seen=f"first on line {self.lines[here]}, again on line {line}",
                way_out="remove one of them",
            )
        self.lines[here] = line
        self._keys[-1] = event.value

    def _place(self, value: Any, line: int) -> PathTuple:
        """Put a value where it belongs and return its path."""
        if not self._open:
            self.root, self.empty = value, False
            self.lines[()] = line
            return ()
        container, path = self._open[-1]
        if isinstance(container, list):
            container.append(value)
            here: PathTuple = (*path, len(container) - 1)
            self.lines[here] = line
            return here
        key = self._keys[-1]
        assert key is not None
        container[key], self._keys[-1] = value, None
        return (*path, key)

    def _scalar(self, event: Any, line: int) -> Any:
        text: str = event.value
        if event.style:
            return text
        if text in _WORDS:
            return _WORDS[text]
        if not _FLOAT.fullmatch(text) or _LEADING_ZERO.match(text):
            return text
        if len(text) > MAX_DIGITS or math.isinf(float(text)):
            _refuse(
                self.name,
                line,
                "a number out of range",
                seen=text[:40] + "...",
                expected="a number that fits",
                way_out="quote it if it is text",
            )
        return int(text) if _INT.fullmatch(text) else float(text)

    def _no_anchor(self, line: int, seen: str) -> NoReturn:
        _refuse(
            self.name,
            line,
            "an anchor or alias",
            expected="every value written out",
            seen=seen,
            way_out="repeat the value; quote text that starts with & or *",
        )


def _position(error: yaml.YAMLError) -> int:
    position = getattr(error, "position", 0)
    return position if isinstance(position, int) else 0


def _excerpt(text: str, line: int) -> str:
    lines = text.splitlines()
    return repr(lines[line - 1].strip()[:60]) if 0 < line <= len(lines) else "the end"


def _refuse(
    name: str, line: int, problem: str, *, expected: str, seen: str, way_out: str
) -> NoReturn:
    raise PolicyError(
        f"{name}:{line}: {problem}",
        expected=expected,
        seen=seen,
        way_out=way_out,
        docs=DOCS,
    )
