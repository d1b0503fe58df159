"""What probing found, as a pytest file that fails until it is mended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pprint import pformat
from typing import Any

from ..grading.finding import Finding, printable

_HEAD = '''\
"""Made by `pytest-agentgate probe`: each test fails until its finding is mended."""

import pytest
'''
_TEST = """

@pytest.mark.agentgate
def {name}(agentgate):
    # {rule}: {message}
    agentgate.probe(
        {tool},
        {arguments},
    )
"""


def as_tests(entries: Iterable[tuple[Finding, Mapping[str, Any]]]) -> str:
    """Write a test for each finding; calls that show several are tested once.

    Args:
        entries: findings, each with the arguments that showed it.
    """
    parts: dict[tuple[str, str], str] = {}
    for finding, arguments in entries:
        spelt = _spelt(arguments)
        if (finding.tool, spelt) not in parts:
            parts[finding.tool, spelt] = _TEST.format(
                name=_name(finding, len(parts) + 1),
                rule=finding.rule,
                message=printable(finding.message),
                tool=ascii(finding.tool),
                arguments=spelt,
            )
    return _HEAD + "".join(parts.values())


def _spelt(arguments: Mapping[str, Any]) -> str:
    """Spell arguments as Python, so that any text survives the file."""
    text = pformat(dict(arguments), width=76, sort_dicts=False)
    if not text.isascii():
        text = ascii(dict(arguments))
    return text.replace("\n", "\n        ")


def _name(finding: Finding, number: int) -> str:
    words = f"{finding.tool}_{finding.rule}"
    return "test_" + re.sub(r"[^A-Za-z0-9]+", "_", words) + f"_{number}"
