"""Findings as GitHub's workflow commands, which become annotations of a commit.

The runner obeys every line that starts with ``::``. What comes from a tool is
escaped, so that a description can end no command and start none.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..grading.finding import Finding, printable
from .findings import WHOLE, FindingReport, docs, kind, raised, summary

_COMMANDS = {"error": "error", "waived": "notice"}


def commands(report: FindingReport) -> Iterator[str]:
    """Write a command for each finding and each rule that raised, then the count."""
    for finding in report.findings:
        yield _annotation(report, finding)
    for error in report.errors:
        title = _properties({"title": f"{error.rule} raised"})
        yield f"::error {title}::{_data(printable(raised(error)))}"
    for note in report.notes:
        yield f"::notice::{_data(printable(note))}"
    yield summary(report)


def _annotation(report: FindingReport, finding: Finding) -> str:
    properties: dict[str, object] = {}
    if place := report.places.get(finding.tool):
        properties = {"file": place[0], "line": place[1]}
    properties["title"] = f"{finding.rule} {finding.tool or WHOLE}"
    lines = [finding.message]
    if finding.waived:
        lines.append(f"waived by {finding.waived}")
    if finding.seen:
        lines.append(f"seen: {finding.shown}")
    if finding.way_out:
        lines.append(f"way out: {finding.way_out}")
    lines.append(f"docs: {docs(finding)}")
    command = _COMMANDS.get(kind(finding), "warning")
    text = "\n".join(map(printable, lines))
    return f"::{command} {_properties(properties)}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _properties(properties: dict[str, object]) -> str:
    return ",".join(
        f"{name}={_property(printable(str(value)))}"
        for name, value in properties.items()
    )


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
