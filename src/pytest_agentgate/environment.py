"""What a tool layer is judged by: policy, rules, contracts, waivers, all resolved.

Made once by a pytest session and once by each verb of the command.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from .contract.catalogue import Catalogue, Definition, read_definitions
from .contract.tool import ToolContract
from .errors import AgentGateError, PolicyError
from .gate.facts import Duties
from .gate.rules import RUN_RULES, UNCONDITIONAL
from .gate.rules.theatre import duties
from .gate.terms import GateTerms
from .grading.context import Context
from .grading.finding import SHOWN_LIMIT, Finding, shortened
from .grading.grader import Grader
from .grading.linting import Linted, lint
from .grading.registry import Registry, Rule
from .grading.rules import built_in
from .live import mcp
from .redaction import Redactor
from .store.listings import MCP, read_listing, read_text
from .store.lock import LOCK, agreed_definitions, read_lock
from .store.policy import LoadedPolicy, Policy, load_contracts, load_policy, resolve
from .store.waivers import Waivers

if TYPE_CHECKING:
    from .live.effects import State
    from .live.probe import Bench


@dataclass
class Environment:
    """Everything that is judged by, resolved once per process.

    Attributes:
        loaded: the policy file, ``None`` where there is none.
        policy: its content, or the defaults.
        grader: the rules under that policy.
        waivers: what is known and accepted for a time.
        today: the date by which waivers expire.
    """

    loaded: LoadedPolicy | None
    policy: Policy
    grader: Grader
    waivers: Waivers
    today: datetime.date

    @classmethod
    def load(
        cls, path: Path | None, offered: Iterable[Iterable[Any]] = (), **more: Any
    ) -> Self:
        """Load what a policy file names; without one, the defaults.

        Args:
            path: the policy file.
            offered: rules that plugins add.
            **more: fields of a subclass.

        Raises:
            AgentGateError: the policy, or something that it names, cannot be used.
        """
        loaded = load_policy(path) if path else None
        policy = loaded.policy if loaded else Policy()
        waivers = Waivers.none()
        if loaded and policy.waivers:
            waivers = Waivers.load(loaded.folder / policy.waivers)
        made = cls(
            loaded=loaded,
            policy=policy,
            grader=Grader(Registry()),
            waivers=waivers,
            today=datetime.date.today(),
            **more,
        )
        made.grader = Grader(made._registry(offered), policy.rules)
        _refuse_softened(made.grader)
        return made

    def _registry(self, offered: Iterable[Iterable[Any]]) -> Registry:
        registry = built_in()
        for entry in RUN_RULES:
            registry.add(entry)
        for entries in offered:
            for entry in entries:
                registry.add(_with_origin(entry, "hook in"))
        for reference in self.policy.rules.extra:
            registry.add(_with_origin(self.reference(reference), reference))
        return registry

    @property
    def folder(self) -> Path:
        """Where the policy's paths and ``module:attribute`` start from."""
        return self.loaded.folder if self.loaded else Path.cwd()

    @cached_property
    def gates(self) -> dict[str, GateTerms]:
        """Every gate that a mark may name."""
        return self.policy.known_gates()

    @cached_property
    def redactor(self) -> Redactor:
        """Takes secrets out of whatever is written."""
        extra = self.policy.redaction
        return Redactor(os.environ, extra_keys=extra.keys, patterns=extra.patterns)

    @cached_property
    def declared(self) -> dict[str, ToolContract]:
        """The contracts file, by tool."""
        name = self.policy.tools.contracts
        return load_contracts(self.folder / name) if name else {}

    @cached_property
    def catalogue(self) -> Catalogue | None:
        """The tools that the model is given; ``None`` where the policy names none."""
        tools = self.policy.tools
        if tools.catalogue is None:
            return None
        served = self.definitions(tools.served) if tools.served else None
        return Catalogue(self.definitions(tools.catalogue), self.declared, served)

    def definitions(self, source: str) -> tuple[Definition, ...]:
        """Read the tools that a source names, listing a live server where it is one."""
        return read_definitions(read_listing(source, self.folder, self._listed))

    def _listed(self, server: str) -> Any:
        return mcp.list_tools(server, self.policy.tools.server, cwd=self.folder)

    @cached_property
    def pinned(self) -> dict[str, Definition] | None:
        """The definitions in the lock beside the policy; ``None`` without a lock."""
        path = self.folder / LOCK
        if self.catalogue is None or not path.exists():
            return None
        current = self.catalogue.definitions
        return agreed_definitions(read_lock(path), current, self.redactor)

    @cached_property
    def linted(self) -> Linted:
        """What the contract rules say of the catalogue, as ``lint`` settles it."""
        return self.lint(self.catalogue or Catalogue(), pinned=self.pinned)

    def lint(
        self,
        catalogue: Catalogue,
        *,
        pinned: Mapping[str, Definition] | None = None,
        only: frozenset[str] | None = None,
    ) -> Linted:
        """Judge the tools of a catalogue; secrets taken out, waivers applied.

        Args:
            catalogue: the tools.
            pinned: the agreed definitions, by name.
            only: narrow to these rule ids.
        """
        linted = lint(
            catalogue, self.grader, caps=self.policy.caps, pinned=pinned, only=only
        )
        return replace(linted, findings=tuple(map(self.accept, linted.findings)))

    def accept(self, finding: Finding) -> Finding:
        """Take the environment's secrets out of a finding, and waive it if it is."""
        clean = self.redactor.redact_text
        seen = shortened(clean(finding.seen), SHOWN_LIMIT)
        finding = replace(finding, seen=seen, message=clean(finding.message))
        return self.waivers.apply(finding, self.today)

    @cached_property
    def state(self) -> State | None:
        """What probing looks at besides the answers; it was verified to stand still."""
        declared = self.policy.probe.state
        if declared is None:
            return None
        from .live.effects import state_of

        state = state_of(declared, self.folder, self.reference)
        state.verify()
        return state

    def bench(self, command: str = "pytest-agentgate probe", **more: Any) -> Bench:
        """Return what the answers to a probe are judged by.

        Args:
            command: what a finding is replayed by.
            **more: further fields of ``Bench``.
        """
        from .live.probe import Bench

        mapping = self.policy.observation
        return Bench(self.grader, mapping, self.context, command, **more)

    def context(
        self,
        tool: str | None,
        arguments: Mapping[str, Any] | None,
        mode: str | None = None,
        transport: Mapping[str, Any] | None = None,
    ) -> Context:
        """Gather what rules may look at besides a result."""
        return Context(
            tool=tool,
            arguments=arguments,
            contract=self.contracts.get(tool) if tool else None,
            caps=self.policy.caps,
            known_tools=self.known_tools,
            mode=mode,
            transport=transport,
            redactor=self.redactor,
        )

    @cached_property
    def contracts(self) -> Mapping[str, ToolContract]:
        """Contracts by tool: the catalogue completed by the contracts file."""
        return self.declared if self.catalogue is None else self.catalogue.contracts

    @cached_property
    def known_tools(self) -> frozenset[str] | None:
        """Names of the tools that exist; ``None`` where no catalogue says so."""
        return None if self.catalogue is None else frozenset(self.catalogue.contracts)

    @cached_property
    def dispatcher(self) -> Callable[..., Any] | None:
        """The policy's ``tools.call``, resolved."""
        call = self.policy.tools.call
        return self.dispatcher_of(call) if call else None

    def dispatcher_of(self, call: str) -> Callable[..., Any]:
        """Return the function ``(name, arguments)`` that a source stands for."""
        if not call.startswith(MCP):
            found: Callable[..., Any] = self.reference(call)
            return found
        server = call.removeprefix(MCP)
        return mcp.dispatcher(server, self.policy.tools.server, cwd=self.folder)

    @cached_property
    def target(self) -> Callable[..., Any] | None:
        """The policy's ``target.call``, resolved."""
        call = self.policy.target.call
        return self.reference(call) if call else None

    @cached_property
    def instructions(self) -> str | None:
        """The agent's system prompt; ``None`` where the policy names none."""
        named = self.policy.target.instructions
        return read_text(named, self.folder) if named else None

    def reference(self, text: str) -> Any:
        """Resolve ``module:attribute`` from the policy's folder."""
        return resolve(text, self.folder)

    def check(self) -> None:
        """Resolve what the policy refers to, so that a bad one is known at once."""
        if self.policy.tools.lint and self.catalogue is None:
            raise PolicyError(
                "tools.lint judges every contract, and there is no list of tools",
                expected="tools.catalogue beside tools.lint",
                seen="no tools.catalogue",
                way_out="name the list of tools that the model is given",
                docs="docs/reference/policy.md#tools",
            )
        _ = (self.contracts, self.pinned, self.dispatcher, self.target, self.gates)
        _ = self.instructions

    @property
    def tools(self) -> Mapping[str, Duties] | None:
        """What a whole run must have seen of each tool of the catalogue."""
        if self.catalogue is None:
            return None
        hosted = {entry.name for entry in self.catalogue.definitions if entry.hosted}
        return {
            name: duties(contract)
            for name, contract in self.contracts.items()
            if name not in hosted
        }


def _refuse_softened(grader: Grader) -> None:
    named = grader.registry.select(grader.settings.ignore) | grader.overridden
    fixed = sorted(i for i in named if i.partition(".")[0] in UNCONDITIONAL)
    if fixed:
        raise PolicyError(
            f"rules names {fixed[0]}, which is never ignored or softened",
            expected="rules about results, or of the families theatre and waiver",
            seen=", ".join(fixed),
            way_out="give the gate 'severity: report' to see it without being stopped",
            docs="docs/reference/policy.md#rules",
        )


def _with_origin(entry: Any, origin: str) -> Rule:
    if not isinstance(entry, Rule):
        raise AgentGateError(
            f"{origin}: this is not a rule",
            expected="what pytest_agentgate.rule makes",
            seen=type(entry).__name__,
            way_out="decorate the check with @rule('family.name', fails_when=...)",
            docs="docs/how-to/write-a-rule.md",
        )
    if origin == "hook in":
        origin = f"hook in {entry.check.__module__}"
    return replace(entry, origin=origin)
