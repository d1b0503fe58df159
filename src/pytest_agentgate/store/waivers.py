"""Findings that are known and accepted for a time, with an owner and an end.

A waived finding is counted and shown, never hidden. A waiver holds through its last
day; one that is over, or that nothing needs any more, is itself something to report.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from ..grading.finding import Finding
from .files import write_atomic
from .validation import FormatVersion, problem_at, validate
from .yaml_reader import Document, read_document

DOCS = "docs/reference/waivers.md"
ANY_TOOL = "*"
HEADER = """\
# Known findings, each with an owner and an end. `pytest-agentgate waive` rewrites this
# file: what is to be kept belongs in an entry's reason, not in a comment.
"""


def _read_date(value: Any) -> Any:
    if isinstance(value, datetime.date):
        return value
    try:
        if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
            return datetime.date.fromisoformat(value)
    except ValueError:
        pass
    raise PydanticCustomError("date", "not a date", {"expected": "YYYY-MM-DD"})


def _read_text(value: Any) -> Any:
    if isinstance(value, str) and not value.strip():
        raise PydanticCustomError("blank", "blank", {"expected": "some text"})
    return value


Text = Annotated[str, BeforeValidator(_read_text)]


class Waiver(BaseModel):
    """One accepted finding.

    Attributes:
        rule: the rule's id.
        tool: the tool's name; ``*`` for any.
        owner: who answers for it.
        expires: the last day on which it holds, ``YYYY-MM-DD``.
        reason: why it is accepted.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    rule: Text
    tool: Text
    owner: Text
    expires: Annotated[datetime.date, BeforeValidator(_read_date)]
    reason: str = ""

    def covers(self, rule: str, tool: str) -> bool:
        """Whether it speaks of this rule's findings about this tool."""
        return self.rule == rule and self.tool in (tool, ANY_TOOL)

    @property
    def note(self) -> str:
        """What a waived finding carries: who, and until when."""
        return f"{self.owner} until {self.expires.isoformat()}"


class WaiversFile(BaseModel):
    """The waivers of a project.

    Attributes:
        version: the format of this file; 1.
        waivers: the entries, one for a rule and tool.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: FormatVersion
    waivers: tuple[Waiver, ...] = Field(default_factory=tuple)


class Waivers:
    """The waivers in force, and which findings needed them.

    Args:
        entries: the waivers; one for a tool goes before one for any.

    Attributes:
        used: rule and tool of every finding that was waived in this process.
    """

    def __init__(self, entries: Iterable[Waiver] = ()) -> None:
        self._entries = sorted(entries, key=lambda entry: entry.tool == ANY_TOOL)
        self.used: set[tuple[str, str]] = set()

    @classmethod
    def none(cls) -> Waivers:
        """Return no waivers."""
        return cls()

    @classmethod
    def load(cls, path: Path) -> Waivers:
        """Load a waivers file; the rule ids are for the caller to check.

        Raises:
            PolicyError: with file and line: what was expected, seen, the way out.
        """
        return cls(_read(path))

    def __iter__(self) -> Iterator[Waiver]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def apply(self, finding: Finding, today: datetime.date) -> Finding:
        """Return the finding, marked as waived where a waiver holds today."""
        for entry in self._entries:
            if entry.covers(finding.rule, finding.tool) and today <= entry.expires:
                self.used.add((finding.rule, finding.tool))
                return replace(finding, waived=entry.note)
        return finding

    def expired(self, today: datetime.date) -> tuple[Waiver, ...]:
        """Return the waivers that no longer hold."""
        return tuple(entry for entry in self._entries if entry.expires < today)

    def unused(
        self, used: Iterable[tuple[str, str]], today: datetime.date
    ) -> tuple[Waiver, ...]:
        """Return the waivers that hold and that no finding needed.

        Args:
            used: rule and tool of every waived finding, of all processes together.
            today: waivers that are over by then are not asked for.
        """
        pairs = set(used)
        return tuple(
            entry
            for entry in self._entries
            if today <= entry.expires
            and not any(entry.covers(rule, tool) for rule, tool in pairs)
        )


def write_waivers(path: Path, entries: Iterable[Waiver]) -> None:
    """Add waivers to a file; one for the same rule and tool replaces the old one.

    Raises:
        PolicyError: what is there cannot be read; it is left as it is.
        AgentGateError: the file cannot be written.
    """
    there = _read(path) if path.exists() or path.is_symlink() else ()
    merged = {(entry.rule, entry.tool): entry for entry in (*there, *entries)}
    lines = [f"{HEADER}version: 1", "waivers:" + ("" if merged else " []")]
    for _, entry in sorted(merged.items()):
        fields = entry.model_dump(mode="json", exclude_defaults=True)
        written = [f"{name}: {_scalar(text)}" for name, text in fields.items()]
        lines += ["  - " + "\n    ".join(written)]
    write_atomic(path, "\n".join(lines) + "\n")


def _read(path: Path) -> tuple[Waiver, ...]:
    document = read_document(path)
    entries = validate(WaiversFile, document, DOCS).waivers
    _refuse_doubles(document, entries)
    return entries


def _refuse_doubles(document: Document, entries: tuple[Waiver, ...]) -> None:
    first: dict[tuple[str, str], int] = {}
    for index, entry in enumerate(entries):
        earlier = first.setdefault((entry.rule, entry.tool), index)
        if earlier != index:
            raise problem_at(
                document,
                ("waivers", index),
                f"{entry.rule} is waived twice for tool {entry.tool!r}",
                expected="one waiver for a rule and tool",
                seen=f"another on line {document.line(('waivers', earlier))}",
                way_out="remove one of them",
                docs=DOCS,
            )


def _scalar(text: str) -> str:
    """Spell text so that any YAML reader takes it for text, plain where possible."""
    if re.fullmatch(r"[a-z]+(?:[._-][a-z0-9]+)+|\d{4}-\d\d-\d\d", text):
        return text
    quoted: str = yaml.safe_dump(
        text, default_style='"', allow_unicode=True, width=float("inf")
    )
    return quoted.strip()
