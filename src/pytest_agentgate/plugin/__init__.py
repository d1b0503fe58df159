"""pytest's door: options, the marker, the fixtures, and hooks of a few lines.

Nothing of ours beyond the option table is imported here; the rest is loaded when a
session is gated, a marked test is collected, or the fixture is used.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from .options import add_options, is_active

if TYPE_CHECKING:
    from ..live.fault_server import FaultServer
    from .faults import InjectedFault
    from .fixtures import AgentGate

_MARK = "agentgate"
_FAULTS = "agentgate_faults"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the options."""
    add_options(parser)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Register the hooks that others may implement."""
    from . import hookspecs

    pluginmanager.add_hookspecs(hookspecs)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Register the markers; with ``--agentgate`` take the session over."""
    config.addinivalue_line(
        "markers",
        "agentgate(gate=None, *, metric=None, k=None, trials=None, threshold=None, "
        "rules=None, input=None): this test counts for a gate of the agent's tool "
        "layer; see docs/reference/marker.md",
    )
    config.addinivalue_line(
        "markers",
        "agentgate_faults(tool, arguments=None, *, faults=None, modes=True, skip=(), "
        "body=None): run this test once per failure mode and network fault of a tool; "
        "see docs/reference/faults.md",
    )
    if is_active(config):
        from .gating import take_over

        take_over(config)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Generator[None]:
    """Make cases of a test with faults, and last of all trials of a marked test."""
    yield
    if metafunc.definition.get_closest_marker(_FAULTS) is not None:
        from .fault_cases import expand as expand_faults

        expand_faults(metafunc)
    if _may_be_marked(metafunc):
        from .trials import expand

        expand(metafunc)


def _may_be_marked(metafunc: pytest.Metafunc) -> bool:
    if metafunc.definition.get_closest_marker(_MARK) is not None:
        return True
    return any(mark.name == _MARK for call in metafunc._calls for mark in call.marks)


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(
    collector: pytest.Collector, obj: object
) -> Generator[None, Any, Any]:
    """Refuse marked ``unittest.TestCase`` classes, which cannot be repeated."""
    found = yield
    # Other plugins wrap what is found into lists: the object itself is looked at.
    cases = getattr(sys.modules.get("unittest"), "TestCase", None)
    if found and cases and isinstance(obj, type) and issubclass(obj, cases):
        from .trials import refuse_unittest

        refuse_unittest(collector, obj)
    return found


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Hold a test to what it graded, and settle a trial's outcome."""
    report = yield
    if _MARK in getattr(item, "fixturenames", ()) or item.get_closest_marker(_MARK):
        from .outcomes import settle

        settle(item, call, report)
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: pytest.TestReport) -> Any:
    """Give trials and gates their own words."""
    if getattr(report, "agentgate_word", None) is None:
        return None
    from .outcomes import status

    return status(report)


@pytest.fixture
def agentgate_tools(request: pytest.FixtureRequest) -> Callable[..., Any] | None:
    """The dispatcher ``(name, arguments) -> result``; the policy's ``tools.call``.

    Override it to build the tool layer in the test session.
    """
    from .gating import session_environment

    return session_environment(request.config).dispatcher


@pytest.fixture
def agentgate_target(request: pytest.FixtureRequest) -> Callable[..., Any] | None:
    """The agent ``(input) -> run``; the policy's ``target.call``.

    Override it to build the agent in the test session.
    """
    from .gating import session_environment

    return session_environment(request.config).target


@pytest.fixture
def agentgate(request: pytest.FixtureRequest) -> AgentGate:
    """Grade tool results, call tools, run the agent; see docs/reference/fixture.md.

    ``agentgate_tools`` and ``agentgate_target`` are set up when they are first
    needed; a test with asynchronous overrides of them names them as arguments.
    """
    from .gating import gate_for

    return gate_for(request)


@pytest.fixture
def agentgate_fault(
    request: pytest.FixtureRequest, agentgate: AgentGate
) -> InjectedFault:
    """One way to fail of the tool that the mark ``agentgate_faults`` names.

    See docs/reference/faults.md.
    """
    from .faults import fault_for

    return fault_for(request, agentgate)


@pytest.fixture
def agentgate_faults() -> Callable[..., FaultServer]:
    """A function of a fault's name that makes the server which misbehaves so."""
    from .faults import server_for

    return server_for


@pytest.fixture
def agentgate_closed_port() -> Iterator[int]:
    """A loopback port on which nothing listens and nothing can start to.

    It stays bound, without listening, for as long as the test runs.
    """
    import socket

    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]
