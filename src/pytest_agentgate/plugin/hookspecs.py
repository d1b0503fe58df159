"""What other plugins and conftest files may add."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ..grading.registry import Rule


@pytest.hookspec
def pytest_agentgate_rules(config: pytest.Config) -> Iterable[Rule]:  # type: ignore[empty-body]
    """Add rules to the catalogue of this session.

    Called once per process, when the first marked test is collected or the fixture
    ``agentgate`` is first used. Every rule that is returned judges every result
    that passes through, unless the policy ignores it; its origin (the plugin's
    name) stands in the manifest.

    Args:
        config: pytest's configuration.

    Returns:
        Rules, each made with ``pytest_agentgate.rule``.

    Example:
        In ``conftest.py``::

            from pytest_agentgate import fail, rule

            @rule("house.ticket", fails_when="an error names no ticket queue")
            def ticket(result, context):
                '''People on call must find the queue without asking.'''
                if result.observation.status == "error":
                    if "queue" not in str(result.observation.next_actions):
                        return fail("the error names no ticket queue")

            def pytest_agentgate_rules(config):
                return [ticket]
    """
