"""Read the ``agentgate`` mark of a test: which gate, on which terms.

A mark that cannot be used is refused while its test is collected, pytest's way, so
that the message survives with and without xdist.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import ValidationError

from ..errors import MarkerError, nearest
from ..gate.tally import label
from ..gate.terms import GateTerms
from .environment import Environment

MARK = "agentgate"
SIGNATURE = (
    "agentgate(gate=None, *, metric=None, k=None, trials=None, threshold=None, "
    "rules=None, input=None)"
)
DOCS = "docs/reference/marker.md"
_TERMS = ("metric", "k", "trials", "threshold")
_KEYWORDS = ("gate", *_TERMS, "rules", "input")


@dataclass(frozen=True)
class GateMark:
    """A mark, read.

    Attributes:
        gate: the gate's name.
        terms: the gate's terms.
        trials: trials of this test, at least the gate's k.
        rules: the rule ids that checks in the test are narrowed to.
        input: the parameter, or function of the parameters, that is the run's input.
    """

    gate: str
    terms: GateTerms
    trials: int
    rules: frozenset[str] | None = None
    input: str | Callable[..., Any] | None = None


def find_mark(node: pytest.Item | pytest.Collector) -> pytest.Mark | None:
    """Return the mark that applies to a node: the closest one.

    Raises:
        MarkerError: one level carries two.
    """
    levels: dict[int, int] = {}
    for level, _ in node.iter_markers_with_node(MARK):
        levels[id(level)] = levels.get(id(level), 0) + 1
    if any(count > 1 for count in levels.values()):
        raise MarkerError(
            "two agentgate marks on one test",
            expected="one mark on a function, and at most one on its class and module",
            seen=f"{max(levels.values())} marks at one level",
            way_out="keep one; a test counts for one gate",
            docs=DOCS,
        )
    return node.get_closest_marker(MARK)


def read_mark(mark: pytest.Mark, path: str, environment: Environment) -> GateMark:
    """Read a mark under the session's policy.

    Args:
        mark: the mark.
        path: the test's file, which names a gate made of keywords alone.
        environment: the gates and rules that exist.

    Raises:
        MarkerError: a keyword, value or name cannot be used.
    """
    given = _arguments(mark)
    name = given.pop("gate", None)
    rules, run_input = given.pop("rules", None), given.pop("input", None)
    if name is not None:
        terms = _named(name, given, environment)
    elif given:
        terms = _terms(given)
        name = f"{path} {label(terms)} >= {terms.threshold:g}"
    else:
        name, terms = "contract", environment.gates["contract"]
    trials = max(given.get("trials", 0), terms.trials, environment.settings.trials or 0)
    if isinstance(rules, str):
        rules = [rules]
    return GateMark(
        gate=name,
        terms=terms,
        trials=trials,
        rules=environment.grader.select(rules),
        input=run_input,
    )


def _arguments(mark: pytest.Mark) -> dict[str, Any]:
    if len(mark.args) > 1:
        raise MarkerError(
            "the agentgate mark takes one positional argument, the gate's name",
            expected=SIGNATURE,
            seen=f"{len(mark.args)} positional arguments",
            way_out="name the others: k=3, threshold=0.9",
            docs=DOCS,
        )
    given = dict(mark.kwargs)
    if mark.args:
        given["gate"] = mark.args[0]
    for key in given:
        if key not in _KEYWORDS:
            raise MarkerError(
                f"the agentgate mark has no keyword {key!r}",
                expected=SIGNATURE,
                seen=f"{key}={given[key]!r}",
                way_out=nearest(key, _KEYWORDS),
                docs=DOCS,
            )
    return {key: value for key, value in given.items() if value is not None}


def _named(name: Any, given: dict[str, Any], environment: Environment) -> GateTerms:
    if name not in environment.gates:
        raise MarkerError(
            f"there is no gate {name!r}",
            expected="a gate of the policy, or contract, recovery, capability",
            seen=repr(name),
            way_out=nearest(name, environment.gates),
            docs=DOCS,
        )
    terms = environment.gates[name]
    for key in ("metric", "k", "threshold"):
        if key in given and given[key] != getattr(terms, key):
            raise MarkerError(
                f"the mark contradicts gate {name!r}",
                expected=f"{key}={getattr(terms, key)!r}, as the gate has it",
                seen=f"{key}={given[key]!r}",
                way_out=f"leave {key} out, change the gate in the policy, or drop the "
                "gate's name to make a gate of the keywords",
                docs=DOCS,
            )
    if "trials" in given:
        _terms({**terms.model_dump(), "trials": given["trials"]})
    return terms


def _terms(given: dict[str, Any]) -> GateTerms:
    try:
        return GateTerms.model_validate(given, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        key = str(first["loc"][0]) if first["loc"] else "terms"
        raise MarkerError(
            f"the agentgate mark's {key} cannot be used: {first['msg']}",
            expected=_expected(key),
            seen=f"{key}={first['input']!r}",
            way_out="give it a value of that kind, or leave it out",
            docs=DOCS,
        ) from None


def _expected(key: str) -> str:
    return {
        "metric": "'pass^k' or 'pass@k'",
        "k": "a whole number of at least 1",
        "trials": "a whole number of at least k",
        "threshold": "a number from 0 to 1",
    }.get(key, SIGNATURE)


def check_input(mark: GateMark, function: Callable[..., Any]) -> None:
    """Refuse an ``input=`` that names no parameter of the test.

    Raises:
        MarkerError: the test has no such parameter.
    """
    if not isinstance(mark.input, str):
        return
    names = list(inspect.signature(function).parameters)
    if mark.input not in names:
        raise MarkerError(
            f"input={mark.input!r} names no parameter of {function.__name__}",
            expected="the name of a parameter, or a function of the parameters",
            seen=", ".join(names),
            way_out=nearest(mark.input, names),
            docs=DOCS,
        )
