"""What the schemas of a contract leave open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ....contract.schema.references import Document, cycles, dangling
from ....contract.schema.validation import check_schema, fast
from ....contract.schema.walk import Place, places
from ....contract.tool import ToolContract
from ...context import Context
from ...finding import Finding, fail
from ...registry import Example, rule
from .examples import PLAIN, SCHEMA, changed

SHOWN = 8
"""Places that a finding lists; it says how many more there are."""
_OBJECT_WORDS = """
properties patternProperties additionalProperties unevaluatedProperties required
minProperties maxProperties propertyNames dependentRequired
"""
_OBJECT = frozenset(_OBJECT_WORDS.split())
_OTHER_WORDS = """
enum const $ref $dynamicRef $recursiveRef allOf anyOf oneOf not if then else minLength
maxLength pattern format contentEncoding minimum maximum multipleOf exclusiveMinimum
exclusiveMaximum items prefixItems minItems maxItems contains uniqueItems
"""
_OTHER = frozenset(_OTHER_WORDS.split())
_CHOICES = ("anyOf", "oneOf")
_DEPTH = 60


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
    types = given.get("type", "object" if _OBJECT & given.keys() else None)
    if "object" not in (types if isinstance(types, list) else [types]):
        combined = types is None and not {"$ref", "allOf", *_CHOICES}.isdisjoint(given)
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


class _Openness:
    """Where a schema admits members that it does not name.

    Args:
        schema: the whole schema.
        declared: pointers of maps that are open on purpose.
    """

    def __init__(self, schema: Any, declared: Iterable[str] = ()) -> None:
        self._document = Document(schema)
        self._declared = frozenset(declared)
        self._places = list(places(schema))
        self._by_pointer = {place.pointer: place for place in self._places}
        self._referred = _referred(self._places)

    def pointers(self) -> Iterator[str]:
        """Yield the pointer of every open object that a value can meet."""
        for place in self._places:
            if not self._is_met(place) or place.pointer in self._declared:
                continue
            if not self._admits_objects(place) or self._closed(place.schema):
                continue
            if not self._closed_around(place):
                yield place.pointer

    def _is_met(self, place: Place) -> bool:
        """Whether a value is ever held against a place by itself."""
        current = place
        for _ in range(_DEPTH):
            if current.role in ("condition", "names", "content"):
                return False
            if current.role == "definition":
                return current.pointer in self._referred
            if current.role == "root":
                return True
            current = self._by_pointer[current.parent]
        return True

    def _admits_objects(self, place: Place) -> bool:
        given = place.schema
        if given is True:
            return place.role not in ("rest", "branch")
        if not isinstance(given, Mapping) or {"enum", "const", "$ref"} & given.keys():
            return False
        types = given.get("type")
        if types is not None:
            return "object" in (types if isinstance(types, list) else [types])
        if _OBJECT & given.keys():
            return True
        # An empty schema under additionalProperties is the holder's openness.
        return place.role not in ("rest", "branch") and not _OTHER & given.keys()

    def _closed(self, given: Any, depth: int = 0) -> bool:
        """Whether a schema, or one that must hold beside it, names all members."""
        if given is False:
            return True
        if not isinstance(given, Mapping) or depth > 8:
            return False
        if _closes(given):
            return True
        target = self._document.target(given.get("$ref"))
        beside = [target.schema] if target is not None else []
        together = given.get("allOf")
        beside += together if isinstance(together, list) else []
        return any(self._closed(one, depth + 1) for one in beside) or any(
            self._all_closed(given[keyword], depth)
            for keyword in _CHOICES
            if isinstance(given.get(keyword), list)
        )

    def _all_closed(self, branches: list[Any], depth: int) -> bool:
        objects = [one for one in branches if not _is_scalar(one)]
        return bool(objects) and all(self._closed(one, depth + 1) for one in objects)

    def _closed_around(self, place: Place) -> bool:
        """Whether a branch is closed by what it is a branch of."""
        current = place
        while current.role == "branch":
            current = self._by_pointer[current.parent]
            given = current.schema
            if self._closed({k: given[k] for k in given if k not in _CHOICES}):
                return True
        return False


def _closes(given: Mapping[str, Any]) -> bool:
    if {"enum", "const"} & given.keys() or given.get("maxProperties") == 0:
        return True
    closing = ("additionalProperties", "unevaluatedProperties")
    return any(given.get(keyword) is False for keyword in closing)


def _is_scalar(given: Any) -> bool:
    types = given.get("type") if isinstance(given, Mapping) else None
    return types is not None and "object" not in (
        types if isinstance(types, list) else [types]
    )


def _referred(found: Iterable[Place]) -> set[str]:
    """Return pointers of definitions that some ``$ref`` leads to, by any spelling."""
    refs = {
        str(place.schema["$ref"])
        for place in found
        if isinstance(place.schema, Mapping) and "$ref" in place.schema
    }
    return {ref.partition("#")[2] for ref in refs}


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
    found = list(_Openness(contract.input_schema, contract.open_maps).pointers())
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
    found = [
        f"{place.pointer}: {wide}"
        for place in places(contract.input_schema)
        if place.role in ("property", "item", "rest", "pattern", "branch")
        and place.keyword != "allOf"
        and place.pointer not in contract.open_maps
        and (wide := _wide(place.schema))
    ]
    if not found:
        return None
    return fail(
        "the input schema is wider than it needs to be",
        expected="bounds on every string, number and array",
        seen=_listed(found),
    )


def _wide(given: Any) -> str:
    """Say what is unbounded in a schema, ``""`` for nothing."""
    if given is True:
        return "any value"
    if not isinstance(given, Mapping):
        return ""
    fields = _together(given)
    if not {"enum", "const", "$ref", *_CHOICES}.isdisjoint(fields):
        return ""
    types = fields.get("type")
    names = set(map(str, types if isinstance(types, list) else [types]))
    if "string" in names and not _bounded_text(fields):
        return "a string without bounds"
    if {"number", "integer"} & names and not _bounded_number(fields):
        return "a number without bounds"
    if "array" in names and not _bounded_list(fields):
        return "an array without maxItems"
    if "object" in names and not _bounded_object(fields):
        return "an object of any members"
    unspoken = types is None and not (_OBJECT | _OTHER) & fields.keys()
    return "any value" if unspoken else ""


def _together(given: Mapping[str, Any]) -> dict[str, Any]:
    fields = dict(given)
    branches = given.get("allOf")
    for branch in branches if isinstance(branches, list) else ():
        if isinstance(branch, Mapping):
            fields = {**branch, **fields}
    return fields


def _bounded_text(fields: Mapping[str, Any]) -> bool:
    return not {"maxLength", "pattern", "format"}.isdisjoint(fields)


def _bounded_number(fields: Mapping[str, Any]) -> bool:
    below = {"minimum", "exclusiveMinimum"} & fields.keys()
    above = {"maximum", "exclusiveMaximum"} & fields.keys()
    return bool(below and above)


def _bounded_list(fields: Mapping[str, Any]) -> bool:
    return "maxItems" in fields or fields.get("items") is False


def _bounded_object(fields: Mapping[str, Any]) -> bool:
    return "properties" in fields or fields.get("additionalProperties") is False


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
    document = Document(contract.input_schema)
    found = [
        place.pointer
        for place in places(contract.input_schema)
        if place.role == "property" and not _described(place.schema, document)
    ]
    if not found:
        return None
    return fail(
        "a parameter without a description",
        expected="a description of each",
        seen=_listed(found),
    )


def _described(given: Any, document: Document) -> bool:
    if not isinstance(given, Mapping):
        return False
    text = given.get("description")
    if isinstance(text, str) and text.strip():
        return True
    target = document.target(given.get("$ref"))
    if target is None or not isinstance(target.schema, Mapping):
        return False
    text = target.schema.get("description")
    return isinstance(text, str) and bool(text.strip())


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
    found = list(_Openness(given, ()).pointers())
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
