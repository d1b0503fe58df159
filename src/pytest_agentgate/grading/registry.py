"""Every rule, once: what it is called, what it judges, what it needs, what it says.

One entry per rule; the policy's schema, ``explain``, the rule pages and the
catalogue test are made from it.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ..errors import AgentGateError, nearest
from .finding import Finding, Severity

Subject = Literal["result", "contract", "catalogue", "trajectory", "run"]
Answer = Finding | Iterable[Finding] | None
Check = Callable[[Any, Any], Answer]


@dataclass(frozen=True, slots=True)
class Example:
    """A subject that shows a rule at work, on its page and in its test.

    Attributes:
        subject: what is judged, such as a raw tool result.
        context: what else the rule is given, by ``Context`` field.
    """

    subject: Any
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One deterministic check with a stable, public id.

    Attributes:
        id: ``family.name``; never renamed, only retired.
        subject: what the check judges.
        severity: severity under profile ``adopt``.
        strict: severity under profile ``strict``, where it differs.
        needs: names of the ``Context`` inputs without which the rule does not apply.
        fails_when: one line, when it fails.
        why: why that matters, for the rule's page.
        way_out: what to change.
        bad: an example that fails.
        good: an example that passes.
        check: the function ``(subject, context)``; it returns nothing, one
            ``Finding`` or several, and never guesses. ``None`` for a rule about a
            run's figures, which the gate judges.
        origin: where the rule was loaded from.
    """

    id: str
    subject: Subject = "result"
    severity: Severity = "error"
    strict: Severity | None = None
    needs: frozenset[str] = frozenset()
    fails_when: str
    why: str = ""
    way_out: str = ""
    bad: Example | None = None
    good: Example | None = None
    check: Check | None = None
    origin: str = "built in"

    @property
    def family(self) -> str:
        """The part of the id before the first dot."""
        return self.id.partition(".")[0]

    @property
    def docs(self) -> str:
        """Where the rule's page is."""
        return f"docs/rules/{self.id}.md"

    def matches(self, selector: str) -> bool:
        """Whether a selector (an id or a family) names this rule."""
        return selector in (self.id, self.family)


def rule(id: str, **entry: Any) -> Callable[[Check], Rule]:  # noqa: A002 - the word
    """Turn a check function into its registry entry.

    The function's docstring becomes ``why``; the keywords are ``Rule``'s fields.
    """
    needs = frozenset(entry.pop("needs", ()))

    def register(check: Check) -> Rule:
        why = " ".join((check.__doc__ or "").split())
        return Rule(id=id, check=check, why=why, needs=needs, **entry)

    return register


class Registry:
    """The rules of a session, by id, in catalogue order."""

    def __init__(self, rules: Iterable[Rule] = ()) -> None:
        self._rules: dict[str, Rule] = {}
        for entry in rules:
            self.add(entry)

    def add(self, entry: Rule) -> None:
        """Add a rule.

        Raises:
            AgentGateError: the id is taken, or has no family.
        """
        if "." not in entry.id:
            raise AgentGateError(
                f"rule id {entry.id!r} has no family",
                expected="an id of the form family.name",
                way_out="rename the rule, such as 'house.no-emails'",
            )
        if entry.id in self._rules:
            raise AgentGateError(
                f"rule id {entry.id!r} is registered twice",
                expected="one rule per id",
                seen=f"{self._rules[entry.id].origin} and {entry.origin}",
                way_out="rename one of them",
            )
        self._rules[entry.id] = entry

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules.values())

    def __len__(self) -> int:
        return len(self._rules)

    def __contains__(self, rule_id: object) -> bool:
        return rule_id in self._rules

    def __getitem__(self, rule_id: str) -> Rule:
        return self._rules[rule_id]

    def select(self, selectors: Iterable[str]) -> frozenset[str]:
        """Return the ids that the selectors (ids or families) name.

        Raises:
            AgentGateError: a selector names no rule.
        """
        chosen: set[str] = set()
        for selector in selectors:
            found = {entry.id for entry in self if entry.matches(selector)}
            if not found:
                known = {entry.id for entry in self} | {e.family for e in self}
                raise AgentGateError(
                    f"no rule or family is called {selector!r}",
                    expected="a rule id or a family",
                    seen=repr(selector),
                    way_out=nearest(selector, known),
                    docs="docs/rules/README.md",
                )
            chosen |= found
        return frozenset(chosen)


def source_hash(entry: Rule) -> str:
    """Hash the source of a rule that is not built in; ``""`` where none can be read.

    The source of a built-in rule is told by the version of this package.
    """
    if entry.origin == "built in" or entry.check is None:
        return ""
    try:
        source = inspect.getsource(entry.check)
    except (OSError, TypeError):
        return ""
    return hashlib.sha256(source.encode("utf-8", "replace")).hexdigest()[:16]
