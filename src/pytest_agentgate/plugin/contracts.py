"""Contracts as tasks: with ``tools.lint: true`` every tool's contract is an item.

The items stand under the policy file and are collected like any others, so that
``-k``, ``--collect-only``, xdist and JUnit treat them so. Their ids have the form of
a parametrized test's, and their records are a trial's like any other: the gate does
not know the difference.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Generator, Iterable, Iterator
from functools import cached_property
from typing import Any

import pytest

from ..contract.catalogue import Definition
from ..errors import AgentGateError, GradeFailure
from ..gate.plan import digest
from ..grading.failure import failure
from ..grading.finding import Finding
from .environment import Environment
from .evidence import Evidence
from .marks import GateMark, read_mark
from .outcomes import EVIDENCE
from .trials import CONTENT, TRIAL, Trial, task_id

GATE = "contract"
CATALOGUE = "catalogue"
"""The item about no tool that is there, such as one that was removed."""
NAME_LIMIT = 80
SCHEMAS = {"input_schema", "output_schema"}


class ContractItems:
    """Adds the contracts to what a session collects.

    Args:
        environment: what the session judges by.
    """

    def __init__(self, environment: Environment) -> None:
        self._environment = environment

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, Any, Any]:
        """Let the session itself find the policy's contracts, after its tests."""
        report = yield
        if not isinstance(collector, pytest.Session) or not report.passed:
            return report
        # One who asks for a test by its id asks for nothing else.
        if not any("::" in argument for argument in collector.config.args):
            report.result.append(Contracts.of(collector, self._environment))
        return report


class Contracts(pytest.Collector):
    """The policy file as a collector: an item for each tool and trial."""

    environment: Environment

    @classmethod
    def of(cls, session: pytest.Session, environment: Environment) -> Contracts:
        """Make the collector of a session."""
        assert environment.loaded is not None
        path = environment.loaded.path
        nodeid = os.path.relpath(path, session.config.rootpath).replace(os.sep, "/")
        made: Contracts = cls.from_parent(
            session, name=path.name, path=path, nodeid=nodeid
        )
        made.environment = environment
        return made

    @cached_property
    def tools(self) -> dict[str, list[Definition]]:
        """The definitions by name, less what the model's provider runs itself."""
        catalogue = self.environment.catalogue
        tools: dict[str, list[Definition]] = {}
        for entry in catalogue.definitions if catalogue else ():
            if not entry.hosted:
                tools.setdefault(entry.name, []).append(entry)
        return tools

    @cached_property
    def found(self) -> dict[str | None, list[Finding]]:
        """What linting said by tool; under ``None`` what belongs to none of them."""
        found: dict[str | None, list[Finding]] = {}
        for tool, findings in self.environment.linted.by_tool.items():
            found.setdefault(self.owner(tool), []).extend(findings)
        return found

    def owner(self, tool: str) -> str | None:
        """Return the tool whose item answers for it."""
        return tool if tool in self.tools else None

    def collect(self) -> Iterable[pytest.Item]:
        """Return the trials: of each tool once, and of the catalogue as a whole."""
        mark = pytest.mark.agentgate(GATE)
        read = read_mark(mark.mark, self.nodeid, self.environment)
        contracts = self.environment.contracts
        for tool, definitions in self.tools.items():
            content = digest(
                [entry.to_json() for entry in definitions],
                # A hostile schema is nested deeper than pydantic writes.
                contracts[tool].model_dump(mode="json", exclude=SCHEMAS),
                *(getattr(contracts[tool], name) for name in sorted(SCHEMAS)),
            )
            head = f"{GATE}[{shown(tool)}-"
            yield from self._trials(head, tool, content, mark, read)
        names = digest(list(self.environment.contracts))
        yield from self._trials(f"{CATALOGUE}[", None, names, mark, read)

    def _trials(
        self,
        head: str,
        tool: str | None,
        content: str,
        mark: pytest.MarkDecorator,
        read: GateMark,
    ) -> Iterator[ContractItem]:
        for number in range(1, read.trials + 1):
            item: ContractItem = ContractItem.from_parent(
                self, name=f"{head}trial{number}]"
            )
            item.tool, item.contracts = tool, self
            item.add_marker(mark)
            item.stash[TRIAL] = Trial(task_id(item.nodeid), number, read)
            item.stash[CONTENT] = content
            yield item


class ContractItem(pytest.Item):
    """One trial of one tool's contract, or of what belongs to no tool."""

    contracts: Contracts
    tool: str | None

    def runtest(self) -> None:
        """Take what linting said of the tool, once a process, as this trial's.

        Raises:
            GradeFailure: a rule of severity ``error`` fails.
        """
        evidence = Evidence()
        evidence.expectations += 1
        self.stash[EVIDENCE] = evidence
        contracts = self.contracts
        evidence.findings += contracts.found.get(self.tool, [])
        evidence.errors += [
            f"{one.rule}: {one.message}"
            for one in contracts.environment.linted.errors
            if contracts.owner(one.tool) == self.tool
        ]
        if evidence.failing:
            raise failure(self.tool or "the catalogue", evidence.failing)

    def repr_failure(
        self,
        excinfo: pytest.ExceptionInfo[BaseException],
        style: Any = None,  # noqa: ARG002 - pytest's
    ) -> Any:
        """Show what is wrong with the contract, marked as pytest marks a failure."""
        if isinstance(excinfo.value, GradeFailure | AgentGateError):
            return "\n".join(f"E   {line}" for line in str(excinfo.value).splitlines())
        return excinfo.getrepr(
            style="short", tbfilter=lambda info: info.traceback.cut(path=__file__)
        )

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Say that the item stands in the policy file."""
        return self.path, None, self.name


def shown(tool: str) -> str:
    """Spell a tool's name so that it can stand in an id: plain, short, unmistakable."""
    plain = re.sub(
        r"[^\w.-]|[^\x00-\x7f]",
        lambda match: f"\\x{ord(match[0]):x}",
        tool,
    )
    if len(plain) <= NAME_LIMIT:
        return plain
    content = tool.encode("utf-8", "surrogatepass")
    return f"{plain[:NAME_LIMIT]}-{hashlib.sha256(content).hexdigest()[:8]}"
