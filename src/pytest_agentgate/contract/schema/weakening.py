"""What a served schema says less, more or otherwise than the declared one (ADR-001)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from .building import UnbuildableError
from .containment import beyond, contains
from .facet import Nodes, canonical, identity
from .gaps import Gap, Gaps, TooManyError
from .modern import Modern
from .shape import Reader, Shape, root
from .validation import Acceptance
from .walk import escaped
from .witness import Search, Witness

Direction = Literal["input", "output"]
Kind = Literal["weakened", "breaking", "changed", "unproven"]
MOST_PROVED = 3_000
"""Pairs of subschemas up to which a proof is asked for; its time is quadratic."""


@dataclass(frozen=True)
class Difference:
    """One thing that the served schema says otherwise.

    Attributes:
        kind: ``weakened``, ``breaking``, ``changed`` (nothing else is admitted), or
            ``unproven``: it looks different, and nothing shows that it is.
        keyword: the JSON Schema keyword, as the schema spells it that has it;
            ``schema`` where no keyword could be named.
        pointer: JSON pointer into the served schema, of the schema that says otherwise
            (behind its ``$ref``).
        declared: the keyword's value in the declared schema, ``None`` for none.
        served: the same in the served schema.
        path: JSON pointer into a value to where it shows, ``*`` for any element or
            name; so ``/limit`` is the argument ``limit``.
        witness: a value that shows it, checked with the reference validator.
        why: of what is unproven: why.
    """

    kind: Kind
    keyword: str
    pointer: str
    declared: Any = None
    served: Any = None
    path: str = ""
    witness: Witness | None = None
    why: str = ""


@dataclass(frozen=True)
class Disagreement:
    """Two engines contradict each other: an error of ours, never of the tool.

    Attributes:
        message: who says what.
        value: the value about which they disagree.
    """

    message: str
    value: Any


@dataclass(frozen=True)
class Comparison:
    """What comparing two schemas came to.

    Attributes:
        differences: in the order of the served schema.
        disagreements: where engines contradict each other; empty unless we are wrong.
    """

    differences: tuple[Difference, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()

    @property
    def weakened(self) -> tuple[Difference, ...]:
        """Where an input admits more than declared, or an output less."""
        return self._of("weakened")

    @property
    def breaking(self) -> tuple[Difference, ...]:
        """Where an input admits less than declared, or an output more."""
        return self._of("breaking")

    @property
    def changed(self) -> tuple[Difference, ...]:
        """Where the same is admitted and something else is said, such as a default."""
        return self._of("changed")

    @property
    def unproven(self) -> tuple[Difference, ...]:
        """Where nothing shows that it differs, and nothing that it does not."""
        return self._of("unproven")

    def _of(self, kind: Kind) -> tuple[Difference, ...]:
        return tuple(one for one in self.differences if one.kind == kind)


def compare(
    declared: Any, served: Any, *, direction: Direction = "input"
) -> Comparison:
    """Compare the schema that is served with the one that was declared.

    Different spellings of one thing are equal: ``$ref`` or inlined, the spellings of
    nullable, ``const`` or a single ``enum``, any order, any title or description. Any
    two JSON values will do; what cannot be read is ``unproven``.

    Args:
        declared: what was agreed, a JSON Schema of any draft.
        served: what the model or a transport is given.
        direction: whose schemas they are. What an input admits more is ``weakened``
            and what it admits less is ``breaking``; of an output it is the other way
            round.
    """
    try:
        if declared is served or declared == served:
            return Comparison()
        return _compared(declared, served, direction)
    except (RecursionError, TooManyError):
        why = "the schemas are too deep or too large to be compared"
        return Comparison((Difference("unproven", "schema", "", why=why),))


class _Side:
    """One of the two schemas, in the forms in which it is asked.

    Attributes:
        name: ``declared`` or ``served``.
        schema: as draft 2020-12.
        nodes: the same, to be read as shapes.
    """

    def __init__(self, name: str, written: Any) -> None:
        self.name = name
        modern = Modern(written)
        self.schema = modern.schema
        self.nodes = root(modern.schema)
        self._checks = [Acceptance(modern.schema)]
        spoken = isinstance(written, dict) and "$schema" in written
        if spoken and not modern.restated:
            self._checks.append(Acceptance(written))

    def accepts(self, value: Any) -> bool | None:
        """Whether it accepts a value, in each of its forms; ``None`` if they differ."""
        answers = {check(value) for check in self._checks}
        return answers.pop() if len(answers) == 1 else None


class _OneWay:
    """Where the loose side admits what the strict side refuses."""

    def __init__(self, reader: Reader, strict: _Side, loose: _Side, kind: Kind) -> None:
        self._strict = strict
        self._loose = loose
        self._kind = kind
        self._search = Search(reader, self._shows)
        gaps = Gaps(reader, served_is_loose=loose.name == "served")
        self._gaps = gaps.between(strict.nodes, loose.nodes)
        self._claims = [gap for gap in self._gaps if not gap.remark]
        small = gaps.pairs <= MOST_PROVED
        self._contained = contains(strict.schema, loose.schema) if small else None
        self.disagreements: list[Disagreement] = []

    def differences(self) -> Iterator[Difference]:
        """Yield what is shown, what is proved, and what neither is."""
        shown = False
        for gap in self._gaps:
            difference = self._judged(gap)
            if difference is not None:
                shown = shown or difference.kind == self._kind
                yield difference
        if self._contained is False and not shown:
            yield from self._unnamed()

    def _judged(self, gap: Gap) -> Difference | None:
        if gap.remark:
            return self._told("changed", gap)
        if gap.opaque:
            return self._told("unproven", gap, why=gap.opaque)
        try:
            value = self._search.showing(gap)
        except UnbuildableError as error:
            return self._unshown(gap, str(error))
        if self._contained:
            self.disagreements.append(self._contradicted(gap, value))
        return self._told(self._kind, gap, witness=self._witness(value))

    def _unshown(self, gap: Gap, why: str) -> Difference | None:
        if self._contained:
            return None  # written differently, and equal
        if self._contained is False and len(self._claims) == 1:
            return self._told(self._kind, gap, witness=self._beyond())
        return self._told("unproven", gap, why=why)

    def _unnamed(self) -> Iterator[Difference]:
        """Yield what is proved to differ although no keyword shows it."""
        witness = self._beyond()
        if witness is not None:
            yield Difference(self._kind, "schema", "", witness=witness)
        elif not self._gaps:
            why = "it is proved to differ, and no value was found that shows it"
            yield Difference("unproven", "schema", "", why=why)

    def _beyond(self) -> Witness | None:
        rest = beyond(self._strict.schema, self._loose.schema)
        if rest is None:
            return None
        try:
            value = self._search.among(root(rest))
        except UnbuildableError:
            return None
        return self._witness(value)

    def _witness(self, value: Any) -> Witness:
        return Witness(value, self._loose.name)

    def _contradicted(self, gap: Gap, value: Any) -> Disagreement:
        strict, loose = self._strict.name, self._loose.name
        return Disagreement(
            f"jsonschema-rs proves that the {strict} schema admits all that the"
            f" {loose} schema admits; jsonschema shows a value that it refuses,"
            f" by {gap.keyword} at {gap.pointer!r}",
            value,
        )

    def _shows(self, value: Any) -> bool:
        return (
            self._loose.accepts(value) is True and self._strict.accepts(value) is False
        )

    def _told(self, kind: Kind, gap: Gap, **more: Any) -> Difference:
        said, instead = gap.said, gap.instead
        if self._loose.name == "declared":
            said, instead = instead, said
        pointer = gap.pointer or ""
        return Difference(kind, gap.keyword, pointer, said, instead, gap.path, **more)


def _compared(declared: Any, served: Any, direction: Direction) -> Comparison:
    reader = Reader()
    agreed, given = _Side("declared", declared), _Side("served", served)
    kinds: tuple[Kind, Kind] = ("weakened", "breaking")
    more, less = kinds if direction == "input" else kinds[::-1]
    ways = [
        _OneWay(reader, agreed, given, more),
        _OneWay(reader, given, agreed, less),
    ]
    found = [one for way in ways for one in way.differences()]
    found += _defaults(reader, agreed.nodes, given.nodes)
    wrong = [one for way in ways for one in way.disagreements]
    return Comparison(_once(found), tuple(wrong))


def _defaults(reader: Reader, declared: Nodes, served: Nodes) -> Iterator[Difference]:
    """Yield every default that is lost or another one."""
    seen = set()
    ahead = [(declared, served, "")]
    while ahead:
        ours, theirs, path = ahead.pop()
        key = (identity(ours), identity(theirs))
        if key in seen or not (ours and theirs):
            continue
        seen.add(key)
        here, there = reader.shape(ours), reader.shape(theirs)
        said, instead = here.defaults[:1], there.defaults[:1]
        if said and canonical(said) != canonical(instead):
            pointer = there.pointer
            lost = Difference("changed", "default", pointer, said[0], path=path)
            yield replace(lost, served=instead[0]) if instead else lost
        ahead.extend(reversed(list(_members(here, there, path))))


def _members(
    here: Shape, there: Shape, path: str
) -> Iterator[tuple[Nodes, Nodes, str]]:
    if "object" in here.facets and "object" in there.facets:
        theirs = there.facets["object"].properties
        for name, nodes in here.facets["object"].properties.items():
            yield nodes, theirs.get(name, ()), f"{path}/{escaped(name)}"
    if "array" in here.facets and "array" in there.facets:
        yield here.facets["array"].rest, there.facets["array"].rest, f"{path}/*"


def _once(found: list[Difference]) -> tuple[Difference, ...]:
    """Say each thing once, and of what is shown one way no doubt about the other."""
    seen: dict[tuple[str, str, str], Difference] = {}
    for one in found:
        seen.setdefault((one.kind, one.keyword, one.pointer), one)
    shown = {
        (one.keyword, one.pointer) for one in seen.values() if one.kind != "unproven"
    }
    return tuple(
        one
        for one in seen.values()
        if one.kind != "unproven" or (one.keyword, one.pointer) not in shown
    )
