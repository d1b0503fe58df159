"""The mark ``agentgate_faults``: a test's cases, one per way in which a tool can fail.

They are made while a test is collected: one per failure mode that the tool's contract
says how to provoke, and one per standard network fault.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from ..contract.tool import FailureMode, ToolContract
from ..errors import AgentGateError, MarkerError, nearest
from ..grading.finding import evidence
from ..live.faults import FAULTS, applies
from .environment import Environment, environment

MARK = "agentgate_faults"
FIXTURE = "agentgate_fault"
SIGNATURE = (
    "agentgate_faults(tool, arguments=None, *, faults=None, modes=True, skip=(), "
    "body=None)"
)
DOCS = "docs/reference/faults.md"


@dataclass(frozen=True)
class Case:
    """One way to fail, of one tool.

    Attributes:
        tool: the tool's name.
        arguments: what it is called with.
        fault: the network fault that is served, ``""`` where none is.
        mode: the declared failure mode that this provokes, ``""`` where none does.
        body: what the tool's service answers when all is well.
    """

    tool: str
    arguments: Mapping[str, Any]
    fault: str = ""
    mode: str = ""
    body: Any = None

    @property
    def id(self) -> str:
        """How the test's id names the case."""
        return f"mode:{self.mode}" if self.mode else self.fault


@dataclass(frozen=True)
class Asked:
    """A mark, read.

    Attributes:
        tool: the tool's name.
        arguments: what it is called with.
        faults: the faults to run; ``None`` for all.
        modes: the failure modes to run; ``None`` for all that can be provoked.
        skip: faults and modes that are left out.
        body: what the tool's service answers when all is well.
    """

    tool: str
    arguments: Mapping[str, Any]
    faults: tuple[str, ...] | None
    modes: tuple[str, ...] | None
    skip: frozenset[str]
    body: Any


def expand(metafunc: pytest.Metafunc) -> None:
    """Parametrize a test that carries the mark by its cases.

    Raises:
        pytest.Collector.CollectError: the mark cannot be used.
    """
    marks = list(metafunc.definition.iter_markers(MARK))
    try:
        if FIXTURE not in metafunc.fixturenames:
            raise MarkerError(
                f"{metafunc.function.__name__} has faults and no way to meet them",
                expected=f"the fixture {FIXTURE} among the test's arguments",
                seen=", ".join(metafunc.fixturenames) or "none",
                way_out=f"take {FIXTURE}, and call {FIXTURE}.call()",
                docs=DOCS,
            )
        env = environment(metafunc.config)
        cases = [case for mark in marks for case in cases_of(read(mark), env)]
    except AgentGateError as error:
        where = metafunc.definition.nodeid
        raise pytest.Collector.CollectError(f"{where}: {error}") from None
    several = len(marks) > 1
    ids = [f"{case.tool}:{case.id}" if several else case.id for case in cases]
    metafunc.parametrize(FIXTURE, cases, ids=ids, indirect=True)


def read(mark: pytest.Mark) -> Asked:
    """Read a mark.

    Raises:
        MarkerError: an argument is unknown, missing or of the wrong kind.
    """
    for key in mark.kwargs:
        if key not in _ARGUMENTS.parameters:
            raise MarkerError(
                f"the {MARK} mark has no keyword {key!r}",
                expected=SIGNATURE,
                seen=f"{key}={mark.kwargs[key]!r}",
                way_out=nearest(key, _ARGUMENTS.parameters),
                docs=DOCS,
            )
    try:
        given = _ARGUMENTS.bind(*mark.args, **mark.kwargs)
        given.apply_defaults()
        asked = Asked(**{k: _READ[k](v) for k, v in given.arguments.items()})
    except (TypeError, ValueError) as error:
        raise MarkerError(
            f"the {MARK} mark cannot be used: {error}",
            expected=SIGNATURE,
            seen=evidence([*mark.args, mark.kwargs])[:200],
            way_out="give the tool's name, a mapping of arguments, lists of names",
            docs=DOCS,
        ) from None
    return asked


def _signature(
    tool: Any,
    arguments: Any = None,
    *,
    faults: Any = None,
    modes: Any = True,
    skip: Any = (),
    body: Any = None,
) -> None:
    """Stand for the mark's arguments."""


_ARGUMENTS = inspect.signature(_signature)


def _name(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError(f"the tool is named by text, not by {value!r}")
    return value


def _mapping(value: Any) -> Mapping[str, Any]:
    if value is not None and not isinstance(value, Mapping):
        raise TypeError(f"arguments are a mapping, not {value!r}")
    return dict(value or {})


def _names(value: Any) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else tuple(value)
    if not all(isinstance(name, str) for name in names):
        raise TypeError(f"faults and modes are named by text, not by {names!r}")
    return names


def _modes(value: Any) -> tuple[str, ...] | None:
    return None if value is True else () if not value else _names(value)


def _json(value: Any) -> Any:
    json.dumps(value)
    return value


_READ: Mapping[str, Callable[[Any], Any]] = {
    "tool": _name,
    "arguments": _mapping,
    "faults": lambda value: None if value is None else _names(value),
    "modes": _modes,
    "skip": lambda value: frozenset(_names(value)),
    "body": _json,
}


def cases_of(asked: Asked, env: Environment) -> list[Case]:
    """Return the cases of a mark, declared failure modes first.

    Raises:
        MarkerError: a tool, fault or mode that is named does not exist, or there is
            no case.
        PolicyError: the policy's catalogue or contracts cannot be used.
    """
    contract = _contract(asked, env)
    _check_skip(asked, contract)
    endpoint = asked.tool in env.policy.faults.endpoints
    body = (
        env.policy.faults.bodies.get(asked.tool) if asked.body is None else asked.body
    )
    modes = _chosen_modes(asked, contract, endpoint=endpoint)
    served = {mode.provoked_by.fault for mode in modes if mode.provoked_by}
    cases = [
        Case(
            asked.tool,
            {**asked.arguments, **(mode.provoked_by.arguments or {})},
            mode.provoked_by.fault or "",
            mode.name,
            body,
        )
        for mode in modes
        if mode.provoked_by
    ]
    schema = contract.output_schema
    for name in _chosen_faults(asked, body, schema, endpoint=endpoint):
        if name not in served and name not in asked.skip:
            cases.append(Case(asked.tool, asked.arguments, name, body=body))
    if not cases:
        raise MarkerError(
            f"there is no way to make {asked.tool} fail",
            expected="an endpoint for the tool, or a failure mode with provoked_by",
            seen="neither, or all of them left out",
            way_out=f"declare faults.endpoints.{asked.tool} in the policy, or "
            "provoked_by in the contract",
            docs=f"{DOCS}#endpoints",
        )
    return cases


def _contract(asked: Asked, env: Environment) -> ToolContract:
    known = set(env.contracts) | set(env.policy.faults.endpoints)
    if asked.tool not in known:
        raise MarkerError(
            f"there is no tool {asked.tool!r}",
            expected="a tool of the catalogue, the contracts or faults.endpoints",
            seen=repr(asked.tool),
            way_out=nearest(asked.tool, known)
            if known
            else "name a catalogue, contracts or faults.endpoints in the policy",
            docs=DOCS,
        )
    return env.contracts.get(asked.tool) or ToolContract(name=asked.tool)


def _check_skip(asked: Asked, contract: ToolContract) -> None:
    known = {*FAULTS, *(mode.name for mode in contract.failure_modes)}
    for name in sorted(asked.skip - known):
        raise _unknown(f"there is no fault or failure mode {name!r}", name, known)


def _chosen_modes(
    asked: Asked, contract: ToolContract, *, endpoint: bool
) -> list[FailureMode]:
    declared = [mode.name for mode in contract.failure_modes]
    for name in asked.modes or ():
        mode = contract.mode(name)
        if mode is None:
            problem = f"{asked.tool} declares no failure mode {name!r}"
            raise _unknown(problem, name, declared)
        if mode.provoked_by is None:
            raise MarkerError(
                f"failure mode {name!r} of {asked.tool} does not say how to provoke it",
                expected="provoked_by in the contract",
                seen="none",
                way_out="add provoked_by, or write a test of its own with mode=",
                docs="docs/reference/contracts.md#provoked-by",
            )
    chosen = [
        mode
        for mode in contract.failure_modes
        if mode.provoked_by
        and mode.name not in asked.skip
        and (asked.modes is None or mode.name in asked.modes)
    ]
    for mode in chosen:
        fault = mode.provoked_by.fault if mode.provoked_by else None
        if fault and fault not in FAULTS:
            problem = f"failure mode {mode.name!r} is provoked by no known fault"
            raise _unknown(problem, fault, FAULTS)
        if fault and not endpoint:
            raise _no_endpoint(asked.tool, f"failure mode {mode.name!r}")
    return chosen


def _chosen_faults(
    asked: Asked, body: Any, schema: Mapping[str, Any] | None, *, endpoint: bool
) -> list[str]:
    if asked.faults is None:
        known = FAULTS.values() if endpoint else ()
        return [fault.name for fault in known if applies(fault, body, schema)]
    for name in asked.faults:
        if name not in FAULTS:
            raise _unknown(f"there is no fault {name!r}", name, FAULTS)
        if not endpoint:
            raise _no_endpoint(asked.tool, f"fault {name!r}")
        if not applies(FAULTS[name], body, schema):
            raise MarkerError(
                f"fault {name!r} cannot be made for {asked.tool}",
                expected="an example body with a value that the tool's output schema "
                "enumerates",
                seen="no body" if body is None else "no such value in the body",
                way_out=f"declare faults.bodies.{asked.tool} in the policy and the "
                "enum in output_schema, or leave the fault out",
                docs=f"{DOCS}#bodies",
            )
    return [name for name in FAULTS if name in asked.faults]


def _unknown(problem: str, name: str, known: Iterable[str]) -> MarkerError:
    names = list(known)
    return MarkerError(
        problem,
        expected="a name that exists",
        seen=repr(name),
        way_out=nearest(name, names) if names else "declare it in the contract",
        docs=DOCS,
    )


def _no_endpoint(tool: str, what: str) -> MarkerError:
    return MarkerError(
        f"{what} needs an endpoint of {tool}, and none is declared",
        expected=f"faults.endpoints.{tool} in the policy",
        seen="none",
        way_out="declare where the tool finds its service: a variable, a file and "
        "pointer, a callable or a fixture",
        docs=f"{DOCS}#endpoints",
    )
