"""What the schemas of a contract leave open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ....contract.schema.references import cycles, dangling
from ....contract.schema.validation import check_schema, fast
from ....contract.tool import ToolContract
from ...context import Context
from ...finding import Finding, fail
from ...registry import Example, rule
from .examples import PLAIN, SCHEMA, changed
from .reach import CHOICES, OBJECT, OTHER, VALUES, Reach

ALTERNATIVES = 50
"""Alternatives among which the words of a parameter are looked for."""
SHOWN = 8
"""Places that a finding lists; it says how many more there are."""


def _listed(pointers: Iterable[str]) -> str:
    found = [pointer or "the root" for pointer in pointers]
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return ", ".join(found[:SHOWN]) + more


@rule(
    "contract.schema",
    subject="contract",
    strict="error",
    fails_when="the input schema is not a valid JSON Schema object",
    way_out="write a JSON Schema of type object; of no arguments it is "
    "{type: object, properties: {}, additionalProperties: false}",
    bad=Example(changed(input_schema={"type": "string"})),
    good=Example(PLAIN),
)
def schema(contract: ToolContract, context: Context) -> Finding | None:
    """A schema that is none allows any call, or makes the provider refuse the tool."""
    given: Any = context.served.input_schema if context.served else None
    given = contract.input_schema if given is None else given
    if not isinstance(given, Mapping):
        return fail("the input schema is no object", seen=given)
    types = given.get("type", "object" if OBJECT & given.keys() else None)
    if "object" not in (types if isinstance(types, list) else [types]):
        combined = types is None and not {"$ref", "allOf", *CHOICES}.isdisjoint(given)
        if not combined:
            return fail(
                "the input schema is not of type object",
                expected="type: object",
                seen=repr(given.get("type", "no type")),
            )
    if problem := _invalid(dict(given)):
        return fail("the input schema is no valid JSON Schema", seen=problem)
    return None


def _invalid(given: dict[str, Any]) -> str:
    if fast(given) is not None:
        return ""
    try:
        check_schema(given)
    except Exception as error:  # jsonschema's own, or one of re
        return str(error).partition("\n")[0] or type(error).__name__
    return ""


@rule(
    "contract.closed-schema",
    subject="contract",
    strict="error",
    fails_when="an object schema not closed at some level (typeless, nullable and {} "
    "shapes included; a deliberate map is declared)",
    way_out="add additionalProperties: false, or declare a deliberate map under "
    "'open_maps'",
    bad=Example(changed(input_schema={"type": "object", "properties": {}})),
    good=Example(PLAIN),
)
def closed_schema(contract: ToolContract, context: Context) -> Finding | None:
    """In an open object a misspelt argument is dropped, and the call succeeds."""
    found = list(Reach(contract.input_schema, contract.open_maps).open)
    if not found:
        return None
    return fail(
        "the input schema is open",
        expected="additionalProperties: false at every level",
        seen=_listed(found),
    )


@rule(
    "contract.narrow-schema",
    subject="contract",
    severity="warning",
    strict="error",
    fails_when="an unbounded number, string or array, or free form where a narrow type "
    "is possible",
    way_out="give a string an enum, a format, a pattern or maxLength, a number minimum "
    "and maximum, an array maxItems",
    bad=Example(
        changed(
            input_schema={
                **SCHEMA,
                "properties": {"query": {"type": "string"}},
            }
        )
    ),
    good=Example(PLAIN),
)
def narrow_schema(contract: ToolContract, context: Context) -> Finding | None:
    """What a schema does not forbid, a model will send (SYS-003 §1)."""
    found = list(_Width(contract).found())
    if not found:
        return None
    return fail(
        "the input schema is wider than it needs to be",
        expected="bounds on every string, number and array",
        seen=_listed(found),
    )


class _Width:
    """Finds what the schema of a contract does not bound."""

    def __init__(self, contract: ToolContract) -> None:
        self._reach = Reach(contract.input_schema, contract.open_maps)
        self._judged: set[tuple[int, frozenset[str]]] = set()

    def found(self) -> Iterator[str]:
        """Yield each unbounded place with what it is."""
        for place in self._reach.met:
            if place.role in VALUES:
                given = place.schema
                if more := self._reach.restated(place):
                    given = {"allOf": [given, *more]}
                yield from self._wide(given, place.pointer)

    def _wide(self, given: Any, pointer: str, depth: int = 0) -> Iterator[str]:
        if given is True:
            yield f"{pointer}: any value"
        if not isinstance(given, Mapping) or pointer in self._reach.declared:
            return
        fields = self._fields(given)
        if fields is None or {"enum", "const"} & fields.keys():
            return
        for keyword in CHOICES:
            branches = fields.get(keyword)
            if isinstance(branches, list):
                at = f"{pointer}/{keyword}/" if keyword in given else ""
                for number, branch in self._branches(fields, keyword, depth):
                    inner = f"{at}{number}" if at else pointer
                    yield from self._wide(branch, inner, depth + 1)
                return
        if wide := _unbounded(fields, self._reach):
            yield f"{pointer}: {wide}"

    def _branches(
        self, fields: dict[str, Any], keyword: str, depth: int
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield alternatives, each with the bounds that stand around all, once."""
        outer = {key: held for key, held in fields.items() if key not in _COMPOSED}
        for number, branch in enumerate(fields[keyword] if depth < _DEEP else ()):
            key = (id(branch), frozenset(outer))
            if key not in self._judged:
                self._judged.add(key)
                yield number, {"allOf": [outer, branch]}

    def _fields(self, given: Mapping[str, Any]) -> dict[str, Any] | None:
        """Put together all that holds; ``None`` where that is open on purpose."""
        fields: dict[str, Any] = {}
        for part in self._reach.together(given):
            target = self._reach.document.target(part.get("$ref"))
            if target is not None and target.pointer in self._reach.declared:
                return None
            followed = ("allOf",) if target is None else ("allOf", "$ref")
            said = {key: held for key, held in part.items() if key not in followed}
            fields = {**said, **fields}
        return fields


_DEEP = 20
_COMPOSED = ("allOf", "$ref", *CHOICES)


def _unbounded(fields: Mapping[str, Any], reach: Reach) -> str:
    """Say what is unbounded in a schema, ``""`` for nothing."""
    if "$ref" in fields:  # leads nowhere, which contract.refs says
        return ""
    types = fields.get("type")
    names = set(map(str, types if isinstance(types, list) else [types]))
    if "string" in names and not _bounded_text(fields):
        return "a string without bounds"
    if {"number", "integer"} & names and not _bounded_number(fields):
        return "a number without bounds"
    if "array" in names and not _bounded_list(fields):
        return "an array without maxItems"
    if "object" in names and not _bounded_object(fields, reach):
        return "an object of any members"
    unspoken = types is None and not (OBJECT | OTHER) & fields.keys()
    return "any value" if unspoken else ""


def _bounded_text(fields: Mapping[str, Any]) -> bool:
    return not {"maxLength", "pattern", "format"}.isdisjoint(fields)


def _bounded_number(fields: Mapping[str, Any]) -> bool:
    below = {"minimum", "exclusiveMinimum"} & fields.keys()
    above = {"maximum", "exclusiveMaximum"} & fields.keys()
    return bool(below and above)


def _bounded_list(fields: Mapping[str, Any]) -> bool:
    items = fields.get("items")
    if "maxItems" in fields or items is False:
        return True
    # Of a choice each at most once.
    choice = isinstance(items, Mapping) and bool({"enum", "const"} & items.keys())
    return choice and fields.get("uniqueItems") is True


def _bounded_object(fields: Mapping[str, Any], reach: Reach) -> bool:
    if "properties" in fields or fields.get("additionalProperties") is False:
        return True
    return reach.lists_names(fields)


@rule(
    "contract.params-described",
    subject="contract",
    severity="warning",
    strict="error",
    fails_when="a parameter without a description",
    way_out="say of each parameter what it is, in which unit, and what leaving it out "
    "means",
    bad=Example(
        changed(
            input_schema={
                **SCHEMA,
                "properties": {"query": {"type": "string", "maxLength": 9}},
            }
        )
    ),
    good=Example(PLAIN),
)
def params_described(contract: ToolContract, context: Context) -> Finding | None:
    """A parameter that is only named is filled in by guessing."""
    reach = Reach(contract.input_schema)
    found = [
        place.pointer
        for place in reach.met
        if place.role == "property"
        and place.schema is not False
        and not any(
            _described(one, reach) for one in (place.schema, *reach.restated(place))
        )
    ]
    if not found:
        return None
    return fail(
        "a parameter without a description",
        expected="a description of each",
        seen=_listed(found),
    )


def _described(given: Any, reach: Reach) -> bool:
    """Whether a schema, or a part or an alternative of it, is put into words."""
    for part in reach.together(given):
        branches = [
            inner
            for keyword in CHOICES
            if isinstance(part.get(keyword), list)
            for branch in part[keyword][:ALTERNATIVES]
            for inner in reach.together(branch)
        ]
        for one in (part, *branches):
            text = one.get("description")
            if isinstance(text, str) and text.strip():
                return True
    return False


@rule(
    "contract.refs",
    subject="contract",
    strict="error",
    fails_when="a $ref without a target, or cyclic",
    way_out="keep $defs beside what refers to them; write a recursion out to the depth "
    "that is meant",
    bad=Example(
        changed(
            input_schema={
                **SCHEMA,
                "properties": {"query": {"$ref": "#/$defs/Query"}},
            }
        )
    ),
    good=Example(PLAIN),
)
def refs(contract: ToolContract, context: Context) -> list[Finding] | None:
    """A model reads the schema as it stands: what is not there it makes up.

    Providers refuse schemas that lead into themselves, a tree among them.
    """
    schemas: list[Any] = [contract.input_schema, contract.output_schema]
    if context.served is not None:
        schemas += [context.served.input_schema, context.served.output_schema]
    found: dict[str, Finding] = {}
    for one in schemas:
        if isinstance(one, Mapping):
            for wrong in _wrong_refs(one):
                found.setdefault(f"{wrong.message} {wrong.seen}", wrong)
    return list(found.values()) or None


def _wrong_refs(given: Any) -> Iterator[Finding]:
    for reference in dangling(given):
        where = "outside of the schema" if reference.remote else "at nothing"
        yield fail(
            f"a $ref points {where}",
            expected="a definition in the schema itself",
            seen=f"{reference.ref} at {reference.pointer or 'the root'}",
        )
    for reference in cycles(given):
        how = "describes itself without end" if reference.consuming else "is a circle"
        yield fail(
            f"a $ref {how}",
            expected="a schema that can be read to its end",
            seen=f"{reference.ref} at {reference.pointer or 'the root'}",
        )


@rule(
    "contract.output-schema",
    subject="contract",
    severity="warning",
    strict="error",
    fails_when="no output schema, or one that leaves the payload open",
    way_out="declare what a result holds, closed at every level",
    bad=Example(changed(output_schema=None)),
    good=Example(changed(output_schema=SCHEMA)),
)
def output_schema(contract: ToolContract, context: Context) -> Finding | None:
    """Without one no result can be wrong (ADR-016)."""
    given = contract.output_schema
    if given is None:
        return fail("no output schema", expected="a JSON Schema of the payload")
    found = list(Reach(given).open)
    if not found:
        return None
    return fail(
        "an open payload",
        expected="additionalProperties: false at every level",
        seen=_listed(found),
    )


RULES = (
    schema,
    closed_schema,
    narrow_schema,
    params_described,
    refs,
    output_schema,
)
