"""Bring a failure about for one call, and grade what the tool says then.

The tool is called for real, against a server that misbehaves for real; a fault that
never reached it makes the trial errored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from ..contract.observation import Observation
from ..contract.settings import Endpoint
from ..contract.tool import ToolContract
from ..errors import MarkerError, TargetError, nearest
from ..grading.finding import evidence
from ..live.dispatch import Dispatched, adispatch, dispatch, is_async
from ..live.endpoints import pointed, provoked
from ..live.fault_server import FaultServer
from ..live.faults import FAULTS
from .fault_cases import FIXTURE, MARK, SIGNATURE, Case
from .fixtures import AgentGate, bound
from .judging import Selectors

DOCS = "docs/reference/faults.md"
SECONDS = 30.0
"""How long a call may take under a fault that never ends, where nobody says."""
_HELD_TO = ("honesty.status", "recovery.expected")
"""Judged under a fault whatever the mark narrows checks to."""
_REACHED = pytest.StashKey[set[tuple[str, str]]]()


def server_for(fault: str, *, body: Any = None) -> FaultServer:
    """Make the server of one fault; it runs as long as its ``with`` block.

    Args:
        fault: the fault's name.
        body: what the service answers when all is well, as JSON's values.

    Raises:
        TargetError: there is no such fault.
    """
    if fault not in FAULTS:
        raise TargetError(
            f"there is no fault {fault!r}",
            expected="a standard network fault",
            seen=repr(fault),
            way_out=nearest(fault, FAULTS),
            docs=f"{DOCS}#faults",
        )
    return FaultServer(fault, body=body)


def fault_for(request: pytest.FixtureRequest, gate: AgentGate) -> InjectedFault:
    """Make the object that the fixture ``agentgate_fault`` gives one test.

    Raises:
        MarkerError: the test carries no mark.
    """
    case = getattr(request, "param", None)
    if not isinstance(case, Case):
        raise MarkerError(
            f"{FIXTURE} is used without the mark {MARK}",
            expected=f"@pytest.mark.{SIGNATURE}",
            seen="no such mark on the function, its class or its module",
            way_out="mark the test; for a fault of your own choice use the fixture "
            f"{MARK}",
            docs=DOCS,
        )
    return InjectedFault(case, gate, request)


class InjectedFault:
    """One way to fail, brought about for as long as a call lasts.

    Args:
        case: which way, of which tool.
        gate: grades what the tool says.
        request: the test's, for the fixtures that policy and contract name.

    Attributes:
        tool: the tool's name.
        arguments: what it is called with.
        fault: the network fault that is served, ``""`` where none is.
        mode: the declared failure mode, ``""`` where none is provoked.
    """

    def __init__(
        self, case: Case, gate: AgentGate, request: pytest.FixtureRequest
    ) -> None:
        self.tool = case.tool
        self.arguments = dict(case.arguments)
        self.fault = case.fault
        self.mode = case.mode
        self._case = case
        self._judging = gate.judging
        self._request = request

    def __repr__(self) -> str:
        return f"<fault {self._case.id} of {self.tool}>"

    def call(
        self, *, rules: Selectors | None = None, expect_fail: Selectors | None = None
    ) -> Observation:
        """Call the tool under the fault and grade what it says.

        Args:
            rules: narrow to these rule ids or families; that a success is none and
                that a declared mode says what it must is judged besides.
            expect_fail: rules that must fail here, and count for nothing.

        Returns:
            The observation.

        Raises:
            GradeFailure: a rule of severity ``error`` fails.
            TargetError: the fault never reached the tool, or cannot be applied.
        """
        __tracebackhide__ = True
        for fault in self._rehearsals():
            with self._under(fault) as server:
                self._reached(server, dispatch(self._bound(), self._limit(fault)))
        with self._under(self.fault) as server:
            made = dispatch(self._bound(), self._limit(self.fault))
        return self._judged(made, server, rules, expect_fail)

    async def acall(
        self, *, rules: Selectors | None = None, expect_fail: Selectors | None = None
    ) -> Observation:
        """Do what ``call`` does in an asynchronous test."""
        __tracebackhide__ = True
        for fault in self._rehearsals():
            with self._under(fault) as server:
                self._reached(server, await self._adispatch(fault))
        with self._under(self.fault) as server:
            made = await self._adispatch(self.fault)
        return self._judged(made, server, rules, expect_fail)

    async def _adispatch(self, fault: str) -> Dispatched:
        function, limit = self._bound(), self._limit(fault)
        if limit is None or is_async(function):
            return await adispatch(function, limit)
        # A plain function would hold the loop up, and a fault may never end.
        return await asyncio.to_thread(dispatch, function, limit)

    def _rehearsals(self) -> Iterator[str]:
        """Yield a fault to be met first, where the real one leaves no witness.

        Nothing sees who knocks at a closed port. So once in a session the tool is
        called against a server that counts; only then is silence worth anything.
        """
        reached = self._request.config.stash.setdefault(_REACHED, set())
        key = (self._request.node.originalname, f"{self.tool}:{self._case.id}")
        if self.fault and not FAULTS[self.fault].listens and key not in reached:
            yield "status-500"
            reached.add(key)

    def _bound(self) -> Callable[[], Any]:
        return bound(self._request.getfixturevalue, self.tool, dict(self.arguments))

    @property
    def _contract(self) -> ToolContract:
        declared = self._judging.environment.contracts
        return declared.get(self.tool) or ToolContract(name=self.tool)

    def _limit(self, fault: str) -> float | None:
        declared = self._contract.timeout_seconds
        if not fault or FAULTS[fault].then == "close":
            return declared
        return self._judging.environment.policy.faults.seconds or declared or SECONDS

    @contextmanager
    def _under(self, fault: str) -> Iterator[FaultServer | None]:
        """Bring the case about, with the given network fault, for one call."""
        mode = self._contract.mode(self.mode)
        with ExitStack() as stack:
            if mode is not None and mode.provoked_by is not None:
                if mode.provoked_by.fixture is not None:
                    self._value_of(mode.provoked_by.fixture)
                stack.enter_context(provoked(mode.provoked_by))
            server = None
            if fault:
                server = stack.enter_context(
                    FaultServer(
                        fault,
                        body=self._case.body,
                        schema=self._contract.output_schema,
                    )
                )
                stack.enter_context(self._pointed(server.url))
            yield server

    def _pointed(self, url: str) -> Any:
        env = self._judging.environment
        endpoint = env.policy.faults.endpoints[self.tool]
        return pointed(endpoint, url, env.folder, self._setter(endpoint))

    def _setter(self, endpoint: Endpoint) -> Callable[[str], Any] | None:
        if endpoint.callable is not None:
            found = self._judging.environment.reference(endpoint.callable)
        elif endpoint.fixture is not None:
            found = self._value_of(endpoint.fixture)
        else:
            return None
        if not callable(found):
            raise TargetError(
                f"the endpoint of {self.tool} is set by something that is no function",
                expected="a function of the URL",
                seen=type(found).__name__,
                way_out="return a function from it",
                docs=f"{DOCS}#endpoints",
            )
        setter: Callable[[str], Any] = found
        return setter

    def _value_of(self, fixture: str) -> Any:
        try:
            return self._request.getfixturevalue(fixture)
        except pytest.FixtureLookupError as error:
            if error.argname != fixture:
                raise
        raise TargetError(
            f"there is no fixture {fixture!r}",
            expected="a fixture that the test could take as an argument",
            seen=repr(fixture),
            way_out="write it into conftest.py, or correct its name in the policy or "
            "the contract",
            docs=f"{DOCS}#endpoints",
        )

    def _judged(
        self,
        made: Dispatched,
        server: FaultServer | None,
        rules: Selectors | None,
        expect_fail: Selectors | None,
    ) -> Observation:
        __tracebackhide__ = True
        self._reached(server, made)
        context = self._judging.context(
            self.tool,
            self.arguments,
            self.mode or None,
            server.transport if server else None,
        )
        received = self._judging.received(made)
        return self._judging.judge(received, context, self._only(rules), expect_fail)

    def _only(self, rules: Selectors | None) -> Selectors | None:
        chosen = self._judging.only if rules is None else rules
        if chosen is None:
            return None
        return [*([chosen] if isinstance(chosen, str) else chosen), *_HELD_TO]

    def _reached(self, server: FaultServer | None, made: Dispatched) -> None:
        __tracebackhide__ = True
        if server is None or server.requests or not server.fault.listens:
            return
        said = made.raised if made.raised is not None else made.value
        raise TargetError(
            f"the fault {self.fault!r} never reached {self.tool}: its server saw no "
            "request",
            expected="at least one request while the tool was called",
            seen=evidence(said)[:200] or "no result",
            way_out=f"check faults.endpoints.{self.tool} in the policy: the tool must "
            "read it at each call, and the mark's arguments must lead to a request",
            docs=f"{DOCS}#a-fault-must-arrive",
        )
