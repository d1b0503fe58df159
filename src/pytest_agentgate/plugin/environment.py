"""What one session judges by: policy, rules, contracts, waivers."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pytest

from ..contract.catalogue import read_catalogue
from ..contract.tool import ToolContract
from ..errors import AgentGateError, PolicyError
from ..gate.rules import RUN_RULES, UNCONDITIONAL
from ..gate.terms import GateTerms
from ..grading.grader import Grader
from ..grading.registry import Registry, Rule
from ..grading.rules import built_in
from ..redaction import Redactor
from ..store.files import read_regular
from ..store.policy import (
    LoadedPolicy,
    Policy,
    find_policy,
    load_contracts,
    load_policy,
    resolve,
)
from ..store.waivers import Waivers
from .settings import Settings, settings

CATALOGUE_BYTES = 10_000_000
_KEY = pytest.StashKey["Environment"]()


@dataclass
class Environment:
    """Everything a session judges by, resolved once per process.

    Attributes:
        settings: the options in force.
        loaded: the policy file, ``None`` where there is none.
        policy: its content, or the defaults.
        grader: the rules under that policy.
        waivers: what is known and accepted for a time.
        today: the date by which waivers expire.
    """

    settings: Settings
    loaded: LoadedPolicy | None
    policy: Policy
    grader: Grader
    waivers: Waivers
    today: datetime.date

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
    def contracts(self) -> dict[str, ToolContract]:
        """Contracts by tool: the catalogue completed by the contracts file."""
        tools = self.policy.tools
        own: dict[str, ToolContract] = {}
        if tools.contracts and self.loaded:
            own = load_contracts(self.loaded.path.parent / tools.contracts)
        if tools.catalogue is None:
            return own
        return read_catalogue(self._catalogue(tools.catalogue), own)

    def _catalogue(self, text: str) -> Any:
        if not text.endswith(".json"):
            return self.reference(text)
        assert self.loaded is not None
        path = self.loaded.folder / text
        content = read_regular(path, CATALOGUE_BYTES, follow=True, error=PolicyError)
        try:
            listed = json.loads(content)
        except ValueError as error:
            raise PolicyError(
                f"tools.catalogue: {text} is not JSON",
                expected="a list of tool definitions",
                seen=str(error),
                way_out="mend the file, or name a list as module:attribute",
                docs="docs/reference/policy.md#tools",
            ) from None
        return listed.get("tools") if isinstance(listed, dict) else listed

    @cached_property
    def known_tools(self) -> frozenset[str] | None:
        """Names of the tools that exist; ``None`` where no catalogue says so."""
        return frozenset(self.contracts) if self.policy.tools.catalogue else None

    @cached_property
    def dispatcher(self) -> Callable[..., Any] | None:
        """The policy's ``tools.call``, resolved."""
        call = self.policy.tools.call
        return self.reference(call) if call else None

    @cached_property
    def target(self) -> Callable[..., Any] | None:
        """The policy's ``target.call``, resolved."""
        call = self.policy.target.call
        return self.reference(call) if call else None

    def reference(self, text: str) -> Any:
        """Resolve ``module:attribute`` from the policy's folder."""
        assert self.loaded is not None
        return resolve(text, self.loaded.path.parent)

    def check(self) -> None:
        """Resolve what the policy refers to, so that a bad one is known at once."""
        _ = (self.contracts, self.dispatcher, self.target, self.gates)

    @property
    def tools(self) -> Mapping[str, tuple[str, ...]] | None:
        """Declared failure modes by tool of the catalogue."""
        if self.known_tools is None:
            return None
        return {
            name: tuple(mode.name for mode in contract.failure_modes)
            for name, contract in self.contracts.items()
        }


def environment(config: pytest.Config) -> Environment:
    """Return the session's environment, made at first use.

    Raises:
        AgentGateError: the policy, or something that it names, cannot be used.
    """
    if _KEY not in config.stash:
        config.stash[_KEY] = _make(config, settings(config))
    return config.stash[_KEY]


def _make(config: pytest.Config, chosen: Settings) -> Environment:
    path = chosen.policy or find_policy(config.rootpath)
    loaded = load_policy(path) if path else None
    policy = loaded.policy if loaded else Policy()
    waivers = Waivers.none()
    if loaded and policy.waivers:
        waivers = Waivers.load(loaded.path.parent / policy.waivers)
    made = Environment(
        settings=chosen,
        loaded=loaded,
        policy=policy,
        grader=Grader(Registry()),
        waivers=waivers,
        today=datetime.date.today(),
    )
    made.grader = Grader(_registry(config, made), policy.rules)
    _refuse_softened(made.grader)
    return made


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


def _registry(config: pytest.Config, made: Environment) -> Registry:
    registry = built_in()
    for entry in RUN_RULES:
        registry.add(entry)
    for offered in config.hook.pytest_agentgate_rules(config=config):
        for entry in offered:
            registry.add(_with_origin(entry, "hook in"))
    for reference in made.policy.rules.extra:
        registry.add(_with_origin(made.reference(reference), reference))
    return registry


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
