"""See the items before and after deselection, and make the plan of them.

This runs wherever items are collected: in the only process, or in each xdist worker.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

import pytest

from ..gate.plan import Plan
from .trials import label_items, make_plan, task_id, trial_number


class Collecting:
    """Makes the plan from the items that this process collects."""

    def __init__(self, publish: Callable[[Plan], None]) -> None:
        self._arguments = TaskArguments()
        self._partial: list[str] = []
        self._publish = publish

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Note what narrows the run, then let task ids name their trials."""
        self._partial = narrowed_by(session.config)
        self._arguments.widen(session.config)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> Generator[None]:
        """See the items before any deselection, and again after all of it."""
        self._arguments.narrow(config, items)
        collected = list(items)
        label_items(config, collected)
        yield
        self._publish(make_plan(collected, items, self._partial))


def narrowed_by(config: pytest.Config) -> list[str]:
    """List the options that make a run partial."""
    options = {
        "-k": config.getoption("keyword", ""),
        "-m": config.getoption("markexpr", ""),
        "--deselect": config.getoption("deselect", None),
        "--lf": config.getoption("lf", False),
        "--ff": config.getoption("failedfirst", False),
        "--sw": config.getoption("stepwise", False),
    }
    narrowed = [name for name, value in options.items() if value]
    if any("::" in argument for argument in config.args):
        narrowed.append("a test id")
    return narrowed


class TaskArguments:
    """Task ids on the command line: pytest only knows the ids of trials.

    ``file::test[case]`` is widened to ``file::test`` before collection; afterwards
    the items that were not asked for are deselected.
    """

    def __init__(self) -> None:
        self.wanted: dict[str, set[str]] = {}

    def widen(self, config: pytest.Config) -> None:
        """Replace task ids among the arguments by their functions."""
        given = frozenset(config.args)
        widened = [self._widened(argument, given) for argument in config.args]
        config.args[:] = list(dict.fromkeys(widened))

    def _widened(self, argument: str, given: frozenset[str]) -> str:
        function, bracket, case = argument.partition("[")
        if "::" not in function or not bracket or trial_number(case):
            return argument
        if function in given:
            return function
        name = function.rpartition("::")[2]
        self.wanted.setdefault(name, set()).add(case.removesuffix("]"))
        return function

    def narrow(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Deselect the items that widening let in.

        Raises:
            pytest.UsageError: an argument names no task.
        """
        if not self.wanted:
            return
        keep = [self._asked_for(item) for item in items]
        found = {_name(item) for item, kept in zip(items, keep, strict=True) if kept}
        for name in self.wanted:
            if name not in found:
                raise pytest.UsageError(
                    f"no test {name}[{' or '.join(sorted(self.wanted[name]))}]"
                )
        out = [item for item, kept in zip(items, keep, strict=True) if not kept]
        if out:
            config.hook.pytest_deselected(items=out)
            items[:] = [i for i, kept in zip(items, keep, strict=True) if kept]

    def _asked_for(self, item: pytest.Item) -> bool:
        cases = self.wanted.get(_name(item))
        if cases is None:
            return True
        ids = (item.nodeid, task_id(item.nodeid))
        return any(nodeid.partition("[")[2][:-1] in cases for nodeid in ids)


def _name(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0].rpartition("::")[2]
