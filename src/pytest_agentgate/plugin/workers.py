"""The plan's way from xdist's workers to the controller, which collects nothing.

The controller names a folder in ``workerinput``; the first worker to have collected
writes the plan there, the others must have the same. Workers never judge a gate.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from ..gate.plan import Plan
from .session import GateSession

_KEY = "agentgate_plan"
_PLAN = "plan.json"
_CONFLICT = "conflict"


class Controller:
    """Hands the folder out and reads the plan back in.

    Args:
        session: the run that waits for the plan.
    """

    def __init__(self, session: GateSession) -> None:
        self._session = session
        self._folder = tempfile.TemporaryDirectory(prefix="agentgate-")

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker where the plan goes."""
        node.workerinput[_KEY] = str(Path(self._folder.name) / _PLAN)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self) -> None:
        """Take over the plan as soon as one worker has collected."""
        path = Path(self._folder.name) / _PLAN
        if path.exists():
            self._session.begin(Plan.from_json(json.loads(path.read_text("ascii"))))
        if path.with_name(_CONFLICT).exists():
            self._session.distrust(
                "two xdist workers collected different trials; make the "
                "parametrization of marked tests the same in every process"
            )

    def pytest_unconfigure(self) -> None:
        """Remove the folder."""
        self._folder.cleanup()


def publish_from_worker(config: pytest.Config, plan: Plan) -> None:
    """Write the plan where the controller looks for it, or compare with it."""
    path = Path(config.workerinput[_KEY])  # type: ignore[attr-defined]
    text = json.dumps(plan.to_json(), ensure_ascii=True)
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_text(text, "ascii")
    try:
        os.link(fresh, path)
    except FileExistsError:
        if path.read_text("ascii") != text:
            path.with_name(_CONFLICT).touch()


def refuse_each(config: pytest.Config) -> None:
    """Refuse ``--dist each``, which would run every trial several times.

    Raises:
        pytest.UsageError: it was asked for.
    """
    if config.getoption("dist", "no") == "each":
        raise pytest.UsageError(
            "--agentgate: --dist each runs every trial on every worker, so each would "
            "count several times; use --dist load (the default with -n), worksteal, "
            "loadscope or loadfile"
        )
