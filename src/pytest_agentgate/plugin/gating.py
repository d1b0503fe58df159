"""Take a session over, and give each test its fixture object."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..errors import AgentGateError
from . import workers
from .collecting import Collecting
from .contracts import ContractItems
from .environment import Environment, environment
from .fixtures import AgentGate
from .marks import find_mark, read_mark
from .outcomes import EVIDENCE
from .session import GateSession
from .summary import Summary
from .trials import TRIAL


def take_over(config: pytest.Config) -> None:
    """Register what a gated session needs in this process.

    Raises:
        pytest.UsageError: policy, options or other plugins do not allow it.
    """
    _refuse_namesake(config)
    env = session_environment(config)
    if env.policy.tools.lint:
        config.pluginmanager.register(ContractItems(env), "agentgate-contracts")
    if hasattr(config, "workerinput"):
        publish = _publish_from(config)
        config.pluginmanager.register(Collecting(publish), "agentgate-collecting")
        return
    workers.refuse_each(config)
    _refuse_unusable(env.settings.out, config.rootpath)
    session = GateSession(config, env)
    config.pluginmanager.register(session, "agentgate-session")
    config.pluginmanager.register(Summary(session), "agentgate-summary")
    if config.getoption("dist", "no") != "no":
        config.pluginmanager.register(workers.Controller(session), "agentgate-xdist")
    else:
        collecting = Collecting(session.begin)
        config.pluginmanager.register(collecting, "agentgate-collecting")


def _publish_from(config: pytest.Config) -> Callable[[Any], None]:
    return lambda plan: workers.publish_from_worker(config, plan)


def session_environment(config: pytest.Config) -> Environment:
    """Return the environment; what cannot be used is a usage error.

    Raises:
        pytest.UsageError: the policy, or something it names, cannot be used.
    """
    try:
        made = environment(config)
        made.check()
    except AgentGateError as error:
        raise pytest.UsageError(str(error)) from None
    return made


def gate_for(request: pytest.FixtureRequest) -> AgentGate:
    """Make the object that the fixture ``agentgate`` gives one test."""
    item = request.node
    env = session_environment(item.config)
    trial = item.stash.get(TRIAL, None)
    if trial is not None:
        only = trial.mark.rules
    else:
        mark = find_mark(item)
        path = item.nodeid.partition("::")[0]
        only = read_mark(mark, path, env).rules if mark else None
    gate = AgentGate(
        env,
        only,
        request.getfixturevalue,
        task=trial.task if trial else item.nodeid,
        trial=trial.number if trial else 1,
    )
    item.stash[EVIDENCE] = gate.evidence
    return gate


def _refuse_unusable(out: Path, root: Path) -> None:
    if out.resolve() == root:
        raise pytest.UsageError(
            f"--agentgate-out: {out.name} has become pytest's root folder; write "
            "--agentgate-out=DIR, with an equals sign"
        )
    if out.exists() and not out.is_dir():
        raise pytest.UsageError(
            f"--agentgate-out: expected a folder, or a name that is free; {out.name} "
            "is a file; name another one or remove it"
        )


def _refuse_namesake(config: pytest.Config) -> None:
    """Refuse another plugin's fixture of our name: of two, the later silently wins."""
    for name, plugin in config.pluginmanager.list_name_plugin():
        module = getattr(plugin, "__name__", "")
        if module.startswith("pytest_agentgate") or str(name).endswith("conftest.py"):
            continue
        found = getattr(plugin, "agentgate", None)
        if type(found).__name__ == "FixtureFunctionDefinition":
            raise pytest.UsageError(
                f"--agentgate: the plugin {name!r} has a fixture 'agentgate' too, and "
                "only one of the two would be used; uninstall it, or leave it out "
                f"with -p no:{name}"
            )
