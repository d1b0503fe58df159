"""Findings as GitLab's Code Quality report."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import Any

from ..grading.finding import Finding, printable
from .findings import FindingReport, kind, raised

_SEVERITIES = {
    "error": "blocker",
    "review": "major",
    "abstain": "major",
    "warning": "minor",
    "waived": "info",
}
NO_FILE = "agentgate.yaml"
"""Where a finding is shown whose tool stands in no file: every entry needs one."""


def code_quality(report: FindingReport) -> str:
    """Write the report; a rule that raised is an entry of its own.

    A fingerprint is made of rule, tool and place in the subject, not of wording or
    evidence: the same finding has the same one in the next release of either.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    entries = [_entry(report, finding, seen) for finding in report.findings]
    for error in report.errors:
        key = ("raised", error.rule, error.tool, error.message)
        place = report.places.get(error.tool, (NO_FILE, 1))
        entries.append(_shape(raised(error), error.rule, key, "blocker", place))
    return json.dumps(entries, indent=2, ensure_ascii=True)


def _entry(
    report: FindingReport, finding: Finding, seen: Counter[tuple[str, ...]]
) -> dict[str, Any]:
    key = (finding.rule, finding.tool, finding.path)
    seen[key] += 1
    about = f"{finding.tool}: " if finding.tool else ""
    text = f"{about}{finding.message}"
    if finding.waived:
        text += f" (waived by {finding.waived})"
    place = report.places.get(finding.tool, (NO_FILE, 1))
    severity = _SEVERITIES[kind(finding)]
    return _shape(text, finding.rule, (*key, str(seen[key])), severity, place)


def _shape(
    text: str, rule: str, key: tuple[str, ...], severity: str, place: tuple[str, int]
) -> dict[str, Any]:
    content = json.dumps(key, ensure_ascii=True).encode("ascii")
    return {
        "description": printable(text),
        "check_name": rule,
        "fingerprint": hashlib.sha256(content).hexdigest(),
        "severity": severity,
        "location": {"path": place[0], "lines": {"begin": place[1]}},
    }
