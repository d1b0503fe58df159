"""What can go wrong, always said in four parts.

Every message names what was expected, what was seen, the way out, and where to
read on. The parts stay readable as attributes.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


def explain(
    problem: str,
    *,
    expected: str = "",
    seen: str = "",
    way_out: str = "",
    docs: str = "",
) -> str:
    """Lay a problem out in its four parts, one a line; empty parts are left out."""
    parts = (
        ("expected", expected),
        ("seen", seen),
        ("way out", way_out),
        ("docs", docs),
    )
    lines = [problem]
    lines += [f"  {name + ':':<10}{text}" for name, text in parts if text]
    return "\n".join(lines)


def nearest(word: object, choices: Iterable[str]) -> str:
    """Say which of the choices a misspelt word is closest to, or list them all."""
    options = sorted(choices)
    close = [option for option in options if word and option.startswith(str(word))]
    close = close or difflib.get_close_matches(str(word), options, n=1, cutoff=0.6)
    return f"did you mean {close[0]!r}?" if close else "one of: " + ", ".join(options)


class AgentGateError(Exception):
    """Something the user can mend: a bad policy, marker, target or record.

    Args:
        problem: one line, what is wrong and where.
        expected: what would have been right.
        seen: what was there instead.
        way_out: what to do about it.
        docs: the page or anchor to read.
    """

    def __init__(
        self,
        problem: str,
        *,
        expected: str = "",
        seen: str = "",
        way_out: str = "",
        docs: str = "",
    ) -> None:
        self.problem = problem
        self.expected = expected
        self.seen = seen
        self.way_out = way_out
        self.docs = docs
        super().__init__(
            explain(problem, expected=expected, seen=seen, way_out=way_out, docs=docs)
        )


class PolicyError(AgentGateError):
    """A policy, contracts or waivers file cannot be used."""


class MarkerError(AgentGateError):
    """An ``agentgate`` mark cannot be used."""


class TargetError(AgentGateError):
    """The tool layer or agent under test cannot be reached as configured."""


class JournalError(AgentGateError):
    """A journal cannot be read, or is not whole."""


class GradeFailure(AssertionError):  # noqa: N818 - a failed assertion, named so
    """A result, run or contract broke a rule of severity ``error``.

    Attributes:
        findings: the findings behind the failure, worst first.
    """

    def __init__(self, message: str, findings: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self.findings = tuple(findings)
