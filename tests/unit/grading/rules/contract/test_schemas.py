"""What schemas leave open, judged."""

from __future__ import annotations

import time

import pytest

from pytest_agentgate.contract.catalogue import Definition
from pytest_agentgate.contract.tool import ToolContract
from pytest_agentgate.grading.context import Context
from pytest_agentgate.grading.grader import Grader
from pytest_agentgate.grading.registry import Registry
from pytest_agentgate.grading.rules.contract import schemas


def judge(rule, schema, **fields):
    """Judge an input schema that is declared and served alike."""
    given = {"input_schema": schema} if isinstance(schema, dict) else {}
    contract = ToolContract.model_validate({"name": "t", **given, **fields})
    context = Context(served=Definition("t", input_schema=schema))
    grades = Grader(Registry([rule])).grade(contract, context, kind="contract")
    assert not grades.errors
    return [(one.message, one.seen) for one in grades.findings]


def closed(**properties):
    return {"type": "object", "properties": properties, "additionalProperties": False}


A = {"a": {"type": "string", "maxLength": 9, "description": "It."}}
CLOSED = closed(**A)
OPEN = {"type": "object", "properties": A}
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize(
    "schema",
    [
        CLOSED,
        {"type": "object"},
        {"properties": A},
        {"$ref": "#/$defs/A", "$defs": {"A": CLOSED}},
        {**CLOSED, "$schema": "http://json-schema.org/draft-04/schema#"},
        {"type": ["object"], "additionalProperties": False},
        {"anyOf": [CLOSED, CLOSED]},
    ],
)
def test_a_schema_of_an_object(schema):
    assert judge(schemas.schema, schema) == []


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (True, "the input schema is no object"),
        (False, "the input schema is no object"),
        ([], "the input schema is no object"),
        ("object", "the input schema is no object"),
        ({}, "the input schema is not of type object"),
        ({"type": "string"}, "the input schema is not of type object"),
        ({"type": 7}, "the input schema is not of type object"),
        (
            {"type": "object", "properties": 7},
            "the input schema is no valid JSON Schema",
        ),
        (
            closed(a={"type": "text"}),
            "the input schema is no valid JSON Schema",
        ),
        (
            closed(a={"type": "string", "maxLength": "9"}),
            "the input schema is no valid JSON Schema",
        ),
    ],
)
def test_what_is_no_schema_of_an_object(schema, message):
    assert [said for said, _ in judge(schemas.schema, schema)] == [message]


@pytest.mark.parametrize(
    "schema",
    [
        CLOSED,
        closed(o=CLOSED),
        closed(o={"type": ["object", "null"], **CLOSED}),
        closed(l={"type": "array", "items": CLOSED}),
        closed(o={"anyOf": [CLOSED, {"type": "null"}]}),
        closed(o={"$ref": "#/$defs/O"}) | {"$defs": {"O": CLOSED, "Unused": OPEN}},
        closed(o={"type": "object", "allOf": [CLOSED]}),
        {"allOf": [OPEN, {"type": "object"}], "unevaluatedProperties": False},
        {**CLOSED, "anyOf": [{"required": ["a"]}, {"required": []}]},
        {**CLOSED, "if": {"properties": {"a": {"const": "x"}}}, "then": {}},
        closed(o={"enum": [{"a": 1}]}),
        closed(o={"type": "object", "maxProperties": 0}),
        closed(n={"minimum": 1}),
        closed(
            o={
                "type": "object",
                "patternProperties": {"^x-": {"type": "string"}},
                "additionalProperties": False,
            }
        ),
        CLOSED | {"$defs": {"D": closed(e={"$ref": "#/$defs/E"}), "E": OPEN}},
        closed(o={"$ref": "#/$defs/O", "unevaluatedProperties": False})
        | {"$defs": {"O": OPEN}},
        {
            "allOf": [{"$ref": "#/$defs/O"}, OPEN],
            "unevaluatedProperties": False,
            "$defs": {"O": OPEN},
        },
        closed(l={"type": "array", "items": CLOSED, "contains": {"properties": A}}),
    ],
)
def test_a_closed_schema(schema):
    assert judge(schemas.closed_schema, schema) == []


@pytest.mark.parametrize(
    ("schema", "where"),
    [
        (OPEN, "the root"),
        ({}, "the root"),
        ({"properties": A}, "the root"),
        ({**OPEN, "additionalProperties": True}, "the root"),
        ({**OPEN, "additionalProperties": {}}, "the root"),
        ({**OPEN, "additionalProperties": {"type": "string"}}, "the root"),
        (closed(o=OPEN), "/properties/o"),
        (closed(o={"type": "object"}), "/properties/o"),
        (closed(o={"type": ["object", "null"], "properties": A}), "/properties/o"),
        (closed(o={}), "/properties/o"),
        (closed(o={"description": "Anything."}), "/properties/o"),
        (closed(o=True), "/properties/o"),
        (closed(l={"type": "array", "items": OPEN}), "/properties/l/items"),
        (closed(o={"anyOf": [OPEN, {"type": "null"}]}), "/properties/o/anyOf/0"),
        (
            closed(o={"$ref": "#/$defs/O"}) | {"$defs": {"O": OPEN}},
            "/$defs/O",
        ),
        (
            closed(o={"$ref": "#/%24defs/O"}) | {"$defs": {"O": OPEN}},
            "/$defs/O",
        ),
        (
            closed(o={"$ref": "#o"}) | {"$defs": {"O": {**OPEN, "$anchor": "o"}}},
            "/$defs/O",
        ),
        (
            closed(o={"$ref": "#/$defs/O/properties/x"})
            | {"$defs": {"O": closed(x=OPEN)}},
            "/$defs/O/properties/x",
        ),
        (
            closed(o={"$ref": "#/parts/O"}) | {"parts": {"O": OPEN}},
            "/parts/O",
        ),
        (
            closed(o={"$ref": "#/$defs/O", "additionalProperties": False})
            | {"$defs": {"O": OPEN}, "$schema": DRAFT_7},
            "/$defs/O",
        ),
        (
            closed(
                o={"$ref": "#/$defs/O", "additionalProperties": False},
                p={"$ref": "#/$defs/O"},
            )
            | {"$defs": {"O": OPEN}},
            "/$defs/O",
        ),
        (closed(a=OPEN, b=OPEN), "/properties/a, /properties/b"),
    ],
)
def test_an_open_schema(schema, where):
    ((message, seen),) = judge(schemas.closed_schema, schema)
    assert (message, seen) == ("the input schema is open", where)


TEXT = {"type": "string", "maxLength": 9}
CHOSEN = {
    "type": "object",
    "propertyNames": {"enum": ["a", "b"]},
    "additionalProperties": {"type": "boolean"},
}
LABELS = {"type": "object", "additionalProperties": TEXT}
BY_REF = closed(labels={"$ref": "#/$defs/L"}) | {"$defs": {"L": LABELS}}


@pytest.mark.parametrize("rule", [schemas.closed_schema, schemas.narrow_schema])
@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        (closed(labels=LABELS), "/properties/labels"),
        (closed(labels={"anyOf": [LABELS, {"type": "null"}]}), "/properties/labels"),
        (BY_REF, "/properties/labels"),
        (BY_REF, "/$defs/L"),
    ],
)
def test_a_deliberate_map_is_declared(rule, schema, pointer):
    assert judge(rule, schema)
    assert judge(rule, schema, open_maps=["/properties/other"])
    assert judge(rule, schema, open_maps=[pointer]) == []


@pytest.mark.parametrize("rule", [schemas.closed_schema, schemas.narrow_schema])
def test_a_map_by_the_members_of_an_enum(rule):
    assert judge(rule, closed(m=CHOSEN)) == []
    by_ref = {**CHOSEN, "propertyNames": {"$ref": "#/$defs/K"}}
    whole = closed(m=by_ref) | {"$defs": {"K": {"enum": ["a", "b"]}}}
    assert judge(rule, whole) == []
    spelt = {**CHOSEN, "propertyNames": {"pattern": "^[a-z]$"}}
    assert judge(rule, closed(m=spelt))


def test_a_list_of_each_choice_at_most_once():
    tags = {"type": "array", "items": {"enum": ["a", "b"]}}
    assert judge(schemas.narrow_schema, closed(t={**tags, "uniqueItems": True})) == []
    assert judge(schemas.narrow_schema, closed(t=tags))


def test_what_a_deliberate_map_holds_is_closed_all_the_same():
    schema = closed(m={"type": "object", "additionalProperties": OPEN})
    ((_, seen),) = judge(schemas.closed_schema, schema, open_maps=["/properties/m"])
    assert seen == "/properties/m/additionalProperties"


@pytest.mark.parametrize(
    "field",
    [
        {"type": "string", "maxLength": 9},
        {"type": "string", "enum": ["a"]},
        {"type": "string", "format": "date"},
        {"type": "string", "pattern": "^a$"},
        {"const": "a"},
        {"type": "boolean"},
        {"type": "null"},
        {"type": "integer", "minimum": 1, "maximum": 9},
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        {"type": "array", "maxItems": 3, "items": {"type": "boolean"}},
        {"type": "array", "prefixItems": [{"type": "boolean"}], "items": False},
        {"anyOf": [{"type": "string", "maxLength": 9}, {"type": "null"}]},
        {"type": "string", "allOf": [{"maxLength": 9}]},
        {"anyOf": [{"type": "string"}, {"type": "null"}], "maxLength": 9},
        {"type": ["string", "null"], "anyOf": [TEXT, {"type": "null"}]},
        {"enum": ["a", 1], "anyOf": [{"type": "string"}, {"type": "integer"}]},
        {"$ref": "#/$defs/Nowhere"},
        {**TEXT, "not": {"type": "string", "minLength": 3}},
        False,
        CLOSED,
    ],
)
def test_a_narrow_field(field):
    assert judge(schemas.narrow_schema, closed(f=field)) == []


@pytest.mark.parametrize(
    ("field", "seen"),
    [
        ({"type": "string"}, "/properties/f: a string without bounds"),
        ({"type": "string", "minLength": 1}, "/properties/f: a string without bounds"),
        ({"type": "integer"}, "/properties/f: a number without bounds"),
        ({"type": "integer", "default": 10}, "/properties/f: a number without bounds"),
        ({"type": "number", "minimum": 0}, "/properties/f: a number without bounds"),
        (
            {"type": "array", "items": {"type": "boolean"}},
            "/properties/f: an array without maxItems",
        ),
        (
            {"type": "array", "maxItems": 3, "items": {"type": "string"}},
            "/properties/f/items: a string without bounds",
        ),
        ({"type": "object"}, "/properties/f: an object of any members"),
        ({}, "/properties/f: any value"),
        (
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "/properties/f/anyOf/0: a string without bounds",
        ),
        ({"anyOf": [{}, {"type": "null"}]}, "/properties/f/anyOf/0: any value"),
        (
            {"type": "number", "anyOf": [{"minimum": 1, "maximum": 2}, {}]},
            "/properties/f/anyOf/1: a number without bounds",
        ),
    ],
)
def test_a_wide_field(field, seen):
    assert [said for _, said in judge(schemas.narrow_schema, closed(f=field))] == [seen]


STRING = {"type": "string"}


@pytest.mark.parametrize("schema_line", ["https://json-schema.org/x", DRAFT_7])
def test_what_stands_behind_a_ref_is_bounded_too(schema_line):
    defs = {"S": STRING, "E": {"enum": ["a"]}, "Unused": closed(x=STRING)}
    whole = {"$schema": schema_line, "$defs": defs}
    by_ref = closed(a={"$ref": "#/$defs/S"}, e={"$ref": "#/$defs/E"}) | whole
    ((_, seen),) = judge(schemas.narrow_schema, by_ref)
    assert seen == "/properties/a: a string without bounds"
    bounded = closed(a={"allOf": [{"$ref": "#/$defs/S"}], "maxLength": 9}) | whole
    assert judge(schemas.narrow_schema, bounded) == []
    optional = closed(a={"anyOf": [{"$ref": "#/$defs/S"}, {"type": "null"}]}) | whole
    ((_, seen),) = judge(schemas.narrow_schema, optional)
    assert seen == "/properties/a/anyOf/0: a string without bounds"
    assert judge(schemas.narrow_schema, closed(a={"$ref": "#/nowhere"}) | whole) == []


@pytest.mark.parametrize("rule", [schemas.narrow_schema, schemas.params_described])
@pytest.mark.parametrize(
    "more",
    [
        {"if": {"properties": {"a": STRING}}},
        {"if": {}, "then": {"properties": {"a": {**STRING, "minLength": 2}}}},
        {"anyOf": [{"properties": {"a": {**STRING, "minLength": 2}}}, {}]},
        {"allOf": [{"if": {}, "else": {"properties": {"a": STRING}}}]},
        {"$defs": {"Unused": closed(b=STRING)}},
    ],
)
def test_a_parameter_that_a_branch_speaks_of_again(rule, more):
    assert judge(rule, CLOSED | more) == []
    fresh = {"anyOf": [{"properties": {"b": STRING}}, {}]}
    ((_, seen),) = judge(rule, CLOSED | fresh)
    assert seen.startswith("/anyOf/0/properties/b")


def test_descriptions_of_parameters():
    told = closed(a={"description": "It."}, o=closed(b={"description": " "}))
    ((_, seen),) = judge(schemas.params_described, told)
    assert seen == "/properties/o, /properties/o/properties/b"
    by_ref = closed(a={"$ref": "#/$defs/A"}) | {"$defs": {"A": {"description": "It."}}}
    assert judge(schemas.params_described, by_ref) == []
    told = {"type": "string", "description": "It."}
    optional = closed(a={"anyOf": [told, {"type": "null"}]}, never=False)
    assert judge(schemas.params_described, optional) == []
    ((_, seen),) = judge(
        schemas.params_described, closed(**{f"p{n}": {} for n in range(12)})
    )
    assert seen.endswith("/properties/p7 and 4 more")


def test_refs():
    nowhere = closed(a={"$ref": "#/$defs/A"})
    ((message, seen),) = judge(schemas.refs, nowhere)
    assert message == "a $ref points at nothing"
    assert seen == "#/$defs/A at /properties/a"
    away = closed(a={"$ref": "https://example.org/a.json"})
    ((message, _),) = judge(schemas.refs, away)
    assert message == "a $ref points outside of the schema"
    circle = {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}
    assert [said for said, _ in judge(schemas.refs, circle)] == ["a $ref is a circle"]
    tree = closed(l={"type": "array", "items": {"$ref": "#"}})
    ((message, _),) = judge(schemas.refs, tree)
    assert message == "a $ref describes itself without end"
    kept = closed(a={"$ref": "#/$defs/A"}) | {"$defs": {"A": CLOSED}}
    assert judge(schemas.refs, kept) == []
    ((message, _),) = judge(schemas.refs, CLOSED, output_schema=nowhere)
    assert message == "a $ref points at nothing"


def test_output_schemas():
    assert judge(schemas.output_schema, CLOSED, output_schema=CLOSED) == []
    rows = {"type": "array", "items": CLOSED}
    assert judge(schemas.output_schema, CLOSED, output_schema=rows) == []
    assert judge(schemas.output_schema, CLOSED)[0][0] == "no output schema"
    for given in ({}, OPEN, {"type": "array", "items": {}}):
        ((message, _),) = judge(schemas.output_schema, CLOSED, output_schema=given)
        assert message == "an open payload"


ALL = (
    schemas.schema,
    schemas.closed_schema,
    schemas.narrow_schema,
    schemas.params_described,
    schemas.refs,
    schemas.output_schema,
)


def knot(keyword, size=100):
    """Return definitions each of which refers to every one."""
    refs = [{"$ref": f"#/$defs/{n}"} for n in range(size)]
    defs = {str(n): {keyword: list(refs)} for n in range(size)}
    return closed(a={"$ref": "#/$defs/0"}) | {"$defs": defs}


def chain(length):
    """Return definitions each of which may be the next one."""
    defs = {
        str(n): {"anyOf": [{"$ref": f"#/$defs/{n + 1}"}, {"type": "null"}]}
        for n in range(length)
    }
    return closed(a={"$ref": "#/$defs/0"}) | {"$defs": defs}


def nested(levels):
    schema = {"properties": A}
    for _ in range(levels):
        schema = {"allOf": [schema], "properties": {"a": STRING}}
    return schema


def deep(levels):
    schema = CLOSED
    for _ in range(levels):
        schema = closed(o=schema)
    return schema


@pytest.mark.parametrize(
    "schema",
    [
        True,
        [],
        {"properties": [], "allOf": 7, "$ref": 3, "$defs": []},
        {"type": {}, "anyOf": [None, 1], "items": [[]]},
        {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": True}},
        {"allOf": [{"$ref": "#"}]},
        closed(a={"type": "string", "pattern": "(((("}),
        deep(3_000),
        nested(1_000),
        knot("allOf"),
        knot("anyOf"),
        chain(2_000),
        closed(**{f"p{n}": {"type": "string"} for n in range(20_000)}),
    ],
    ids=lambda schema: str(type(schema).__name__),
)
def test_any_schema_is_judged_in_time(schema):
    start = time.monotonic()
    for rule in ALL:
        judge(rule, schema, output_schema=schema if isinstance(schema, dict) else None)
    assert time.monotonic() - start < 20
