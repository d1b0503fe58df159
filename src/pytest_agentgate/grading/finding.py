"""What a rule says when it does not pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..redaction import redact_text

Severity = Literal["error", "review", "warning"]
Verdict = Literal["fail", "abstain"]

SHOWN_LIMIT = 300
"""Characters of evidence that are shown and written."""
SEEN_LIMIT = 4_096
"""Characters of evidence that a finding holds until the secrets of an environment
have been taken out of it too: cut earlier, half a secret would be left."""
_END = 32_768


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule's complaint about one subject; a pass is a bit, not an object.

    Attributes:
        message: one line, what is wrong.
        verdict: ``fail``, or ``abstain`` where the rule cannot tell.
        expected: what would have been right.
        seen: the evidence: short, redacted, on one line.
        way_out: what to change.
        path: JSON pointer into the subject, ``""`` for the whole.
        rule: the rule's id; the grader fills it in.
        severity: as the policy settles it; the grader fills it in.
        tool: the tool's name; the grader fills it in.
        waived: who waived it and until when, ``""`` where nobody did.
    """

    message: str
    verdict: Verdict = "fail"
    expected: str = ""
    seen: str = ""
    way_out: str = ""
    path: str = ""
    rule: str = ""
    severity: Severity = "error"
    tool: str = ""
    waived: str = ""

    @property
    def shown(self) -> str:
        """The evidence, as short as it is shown."""
        return shortened(self.seen, SHOWN_LIMIT)

    @property
    def fails_trial(self) -> bool:
        """Whether this finding alone fails a trial."""
        return self.verdict == "fail" and self.severity == "error" and not self.waived


def fail(
    message: str,
    *,
    expected: str = "",
    seen: Any = None,
    way_out: str = "",
    path: str = "",
) -> Finding:
    """Make a rule's failing answer; the grader adds rule, severity and tool."""
    return Finding(message, "fail", expected, evidence(seen), way_out, path)


def abstain(message: str, *, seen: Any = None, path: str = "") -> Finding:
    """Make a rule's answer when it cannot tell; the message says why."""
    return Finding(message, "abstain", seen=evidence(seen), path=path)


def evidence(value: Any) -> str:
    """Render a value as evidence: redacted whole, then cut, on one printable line."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else _spelt(value)
    if len(text) > 2 * _END:
        # Of these ends only the outermost part is kept, so a secret that is cut in
        # two here is never shown.
        text = f"{redact_text(text[:_END])} … {redact_text(text[-_END:])}"
    else:
        text = redact_text(text)
    return shortened(printable(text), SEEN_LIMIT)


def shortened(text: str, limit: int) -> str:
    """Cut a text in its middle: what is wrong often stands at the end."""
    if len(text) <= limit:
        return text
    tail = limit // 3
    return f"{text[: limit - tail - 3]} … {text[-tail:]}"


def _spelt(value: Any) -> str:
    try:
        return repr(value)
    except Exception:  # nested without end, or a hostile __repr__
        return f"<{type(value).__name__} that cannot be shown>"


def printable(text: str) -> str:
    r"""Escape what a terminal, a CI log or a reader's eye would obey or not see.

    Control and C1 characters, line breaks, bidirectional and zero-width marks and
    lone surrogates become ``\x1b``-style escapes.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )
