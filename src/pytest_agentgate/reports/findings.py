"""What a verb found in a tool layer, as a value and as text; other forms lie beside it.

``lint`` and ``probe`` say what they found through the same forms, so that a reader
and a CI system learn them once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ..grading.finding import Finding, printable
from ..grading.grader import GraderError

WHOLE = "(the catalogue)"
"""Stands for a tool's name where a finding is about no single tool."""


@dataclass(frozen=True)
class FindingReport:
    """What one verb found.

    Attributes:
        verb: ``lint`` or ``probe``.
        source: what was looked at, as the user named it.
        tools: names of the tools that were looked at, in order.
        findings: in the order of tools, then of rules; redacted, waivers applied.
        errors: rules that raised.
        places: path (from the checkout's top) and line of a tool, where known.
        notes: what else a reader must know, such as tools that were left out.
    """

    verb: str
    source: str
    tools: tuple[str, ...]
    findings: tuple[Finding, ...]
    errors: tuple[GraderError, ...] = ()
    places: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """Findings by what they are: errors, reviews, warnings, abstains, waived."""
        found = Counter(map(kind, self.findings))
        return {name: found[name] for name in KINDS}


KINDS = ("error", "review", "warning", "abstain", "waived")
_ALWAYS = ("error", "warning", "waived")
_PLURAL = {
    "error": "errors",
    "review": "for review",
    "warning": "warnings",
    "abstain": "not told",
    "waived": "waived",
}


def kind(finding: Finding) -> str:
    """Return what a finding counts as: one of ``KINDS``."""
    if finding.waived:
        return "waived"
    return "abstain" if finding.verdict == "abstain" else finding.severity


def text(report: FindingReport) -> Iterator[str]:
    """Lay the findings out as printable lines, by tool, with a count at the end."""
    tool = None
    for finding in report.findings:
        if finding.tool != tool:
            tool = finding.tool
            yield printable(tool or WHOLE)
        yield from map(printable, _finding(finding))
    for error in report.errors:
        yield printable(raised(error))
    yield from map(printable, report.notes)
    yield summary(report)


def _finding(finding: Finding) -> Iterator[str]:
    word = f"waived by {finding.waived}" if finding.waived else kind(finding)
    yield f"  {word}  {finding.rule}: {finding.message}"
    at = f" (at {finding.path})" if finding.path else ""
    if finding.seen or at:
        yield f"    seen:    {finding.shown}{at}"
    if finding.waived:
        return
    if finding.way_out:
        yield f"    way out: {finding.way_out}"
    yield f"    docs:    {docs(finding)}"


def raised(error: GraderError) -> str:
    """Say which rule raised, on which tool, and what."""
    about = f" on {error.tool}" if error.tool else ""
    return f"rule {error.rule} raised{about}: {error.message}"


def docs(finding: Finding) -> str:
    """Return the page of a finding's rule."""
    return f"docs/rules/{finding.rule}.md"


def summary(report: FindingReport) -> str:
    """Return the last line: how many tools, and what was found in them."""
    counts = report.counts
    parts = [
        f"{counts[name]} {_PLURAL[name]}" if counts[name] != 1 else _one(name)
        for name in KINDS
        if counts[name] or name in _ALWAYS
    ]
    if count := len({error.rule for error in report.errors}):
        parts.append(f"{count} {'rule' if count == 1 else 'rules'} raised")
    tools = len(report.tools)
    return f"{tools} {'tool' if tools == 1 else 'tools'}: {', '.join(parts)}"


def _one(name: str) -> str:
    return f"1 {_PLURAL[name].removesuffix('s')}"
