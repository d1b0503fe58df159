"""Findings that ``lint`` or ``probe`` printed as JSON, read again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..errors import AgentGateError
from ..grading.finding import Finding
from .files import read_regular

VERSION = 1
REPORT_BYTES = 50_000_000
_TEXTS = ("rule", "tool", "severity", "verdict", "message", "waived")


def read_findings(path: Path) -> list[Finding]:
    """Read what matters for a waiver of every finding in a report.

    Raises:
        AgentGateError: the file is no such report.
    """
    try:
        content = json.loads(read_regular(path, REPORT_BYTES, follow=True))
    except (ValueError, RecursionError) as error:
        raise _no_report(path, f"no JSON: {error}") from None
    found = content.get("findings") if isinstance(content, dict) else None
    if not isinstance(found, list) or content.get("version") != VERSION:
        raise _no_report(path, "no list of findings of version 1")
    return [_finding(path, entry) for entry in found]


def _finding(path: Path, entry: Any) -> Finding:
    fields = entry if isinstance(entry, dict) else {}
    texts: dict[str, Any] = {name: fields.get(name) for name in _TEXTS}
    if not all(isinstance(text, str) for text in texts.values()):
        raise _no_report(path, f"a finding {str(entry)[:60]!r}")
    return Finding(**texts)


def _no_report(path: Path, seen: str) -> AgentGateError:
    return AgentGateError(
        f"{path} holds no findings",
        expected="the folder of a run, or what lint --format json printed",
        seen=seen,
        way_out="write it with: pytest-agentgate lint --format json > lint.json",
        docs="docs/reference/waivers.md#the-command",
    )
