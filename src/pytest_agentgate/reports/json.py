"""Findings as one JSON document; its keys are described in docs/reference/lint.md."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from ..grading.finding import Finding
from .findings import FindingReport, docs

FINDINGS_VERSION = 1


def document(report: FindingReport) -> str:
    """Write a report as an ASCII JSON document."""
    content = {
        "version": FINDINGS_VERSION,
        "verb": report.verb,
        "source": report.source,
        "tools": list(report.tools),
        "counts": report.counts,
        "findings": [_finding(report, finding) for finding in report.findings],
        "errors": [asdict(error) for error in report.errors],
        "notes": list(report.notes),
    }
    return json.dumps(content, indent=2, ensure_ascii=True)


def _finding(report: FindingReport, finding: Finding) -> dict[str, Any]:
    file, line = report.places.get(finding.tool, (None, None))
    return {
        "rule": finding.rule,
        "tool": finding.tool,
        "severity": finding.severity,
        "verdict": finding.verdict,
        "message": finding.message,
        "expected": finding.expected,
        "seen": finding.shown,
        "way_out": finding.way_out,
        "path": finding.path,
        "waived": finding.waived,
        "docs": docs(finding),
        "file": file,
        "line": line,
    }
