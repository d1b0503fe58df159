"""The options of a session, resolved."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .options import OPTIONS, value


@dataclass(frozen=True)
class Settings:
    """The options of this session, resolved.

    Attributes:
        active: whether ``--agentgate`` was given.
        policy: the policy file that was named, if one was.
        out: the output folder.
        trials: lower limit for every task's trials.
        report_only: gates do not decide the exit code.
        allow_review: needs_review exits 0.
    """

    active: bool
    policy: Path | None
    out: Path
    trials: int | None
    report_only: bool
    allow_review: bool


def settings(config: pytest.Config) -> Settings:
    """Resolve the options: the command line first, then ini, then defaults.

    Raises:
        pytest.UsageError: a value cannot be used.
    """
    values = {option.name: value(config, option) for option in OPTIONS}
    policy, out = values["agentgate_policy"], values["agentgate_out"]
    start = config.invocation_params.dir
    return Settings(
        active=bool(values["agentgate"]),
        policy=start / policy if policy else None,
        out=start / out if out else config.rootpath / ".agentgate",
        trials=_trials(values["agentgate_trials"]),
        report_only=bool(values["agentgate_report_only"]),
        allow_review=bool(values["agentgate_allow_review"]),
    )


def _trials(value: Any) -> int | None:
    if value in ("", None):
        return None
    try:
        number = int(value)
    except ValueError:
        number = 0
    if number < 1:
        raise pytest.UsageError(
            f"--agentgate-trials (ini agentgate_trials): expected a whole number of "
            f"at least 1, seen {value!r}; leave it out to run each gate's own trials"
        )
    return number
