"""The forms that ``--format`` names."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .findings import FindingReport, text
from .github import commands
from .gitlab import code_quality
from .json import document

FORMATS: Mapping[str, Callable[[FindingReport], str]] = {
    "text": lambda report: "\n".join(text(report)),
    "json": document,
    "github": lambda report: "\n".join(commands(report)),
    "gitlab": code_quality,
}
