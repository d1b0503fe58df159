"""What one session judges by: the environment under the session's options."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from ..environment import Environment as BaseEnvironment
from ..store.policy import find_policy
from .settings import Settings, settings

_KEY = pytest.StashKey["Environment"]()


@dataclass
class Environment(BaseEnvironment):
    """An environment with the options in force.

    Attributes:
        settings: the options in force.
    """

    settings: Settings


def environment(config: pytest.Config) -> Environment:
    """Return the session's environment, made at first use.

    Raises:
        AgentGateError: the policy, or something that it names, cannot be used.
    """
    if _KEY not in config.stash:
        chosen = settings(config)
        config.stash[_KEY] = Environment.load(
            chosen.policy or find_policy(config.rootpath),
            config.hook.pytest_agentgate_rules(config=config),
            settings=chosen,
        )
    return config.stash[_KEY]
