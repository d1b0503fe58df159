"""The text of a failed grading: every failing rule in four parts."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import GradeFailure, explain
from .finding import Finding


def failure(subject: str, findings: Sequence[Finding]) -> GradeFailure:
    """Make the error that a failed check raises.

    Args:
        subject: what was judged, such as a tool's name.
        findings: what fails it.
    """
    count = len(findings)
    head = f"{subject} breaks {count} rule{'s' if count > 1 else ''}"
    return GradeFailure("\n".join([head, *map(describe, findings)]), findings)


def describe(finding: Finding) -> str:
    """Write one finding with its four parts."""
    return explain(
        f"{finding.rule}: {finding.message}",
        expected=finding.expected,
        seen=finding.shown + (f" (at {finding.path})" if finding.path else ""),
        way_out=finding.way_out,
        docs=f"docs/rules/{finding.rule}.md",
    )
