"""Pairs of a declared and a served schema, and what must be said of them.

``SAME`` are written differently and equal; of the others every difference is listed as
kind, keyword and JSON pointer into the served schema.
"""

from __future__ import annotations

from typing import Any, NamedTuple

WEAKENED, BREAKING, CHANGED = "weakened", "breaking", "changed"
Said = tuple[str, str, str]


class Pair(NamedTuple):
    """A pair, and the differences that must be named, all of them."""

    name: str
    declared: Any
    served: Any
    said: tuple[Said, ...]
    direction: str = "input"


def tool(**properties: Any) -> dict[str, Any]:
    """Return a closed input schema with these properties, the first one required."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties)[:1],
        "additionalProperties": False,
    }


def of(name: str, declared: Any, served: Any, *said: Said, direction: str = "input"):
    """Return a pair about the property ``x`` of a tool."""
    text = {"type": "string"}
    return Pair(name, tool(q=text, x=declared), tool(q=text, x=served), said, direction)


def lost(keyword: str, pointer: str = "/properties/x") -> Said:
    return (WEAKENED, keyword, pointer)


def broke(keyword: str, pointer: str = "/properties/x") -> Said:
    return (BREAKING, keyword, pointer)


KIND = {"type": "string", "enum": ["military", "trade"]}
INT = {"type": "integer", "minimum": 1, "maximum": 25}
TEXT = {"type": "string", "minLength": 2, "maxLength": 8}
CODE = {"type": "string", "pattern": "^[A-Z]{3}$"}
LIST = {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3}
ITEM = tool(id={"type": "integer", "minimum": 1}, tag={"type": "string"})
NULL = {"type": "null"}


def without(schema: dict[str, Any], *keywords: str, **more: Any) -> dict[str, Any]:
    kept = {name: value for name, value in schema.items() if name not in keywords}
    return {**kept, **more}


WEAKER = (
    of("enum dropped", KIND, {"type": "string"}, lost("enum")),
    of(
        "enum widened", KIND, {**KIND, "enum": ["military", "trade", "x"]}, lost("enum")
    ),
    of("enum without type dropped", {"enum": ["a"]}, {"type": "string"}, lost("enum")),
    of("const dropped", {"const": "a"}, {"type": "string"}, lost("const")),
    of("const changed", {"const": "a"}, {"enum": ["a", "b"]}, lost("const")),
    of("type dropped", {"type": "string"}, {}, lost("type")),
    of(
        "type widened", {"type": "string"}, {"type": ["string", "number"]}, lost("type")
    ),
    of("integer to number", {"type": "integer"}, {"type": "number"}, lost("type")),
    of("maximum dropped", INT, without(INT, "maximum"), lost("maximum")),
    of("maximum raised", INT, {**INT, "maximum": 26}, lost("maximum")),
    of("minimum dropped", INT, without(INT, "minimum"), lost("minimum")),
    of("minimum lowered", INT, {**INT, "minimum": 0}, lost("minimum")),
    of(
        "exclusiveMinimum dropped",
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "number"},
        lost("exclusiveMinimum"),
    ),
    of(
        "exclusiveMaximum made inclusive",
        {"type": "number", "exclusiveMaximum": 1},
        {"type": "number", "maximum": 1},
        lost("exclusiveMaximum"),
    ),
    of(
        "multipleOf dropped",
        {"type": "integer", "multipleOf": 5},
        {"type": "integer"},
        lost("multipleOf"),
    ),
    of(
        "multipleOf loosened",
        {"type": "integer", "multipleOf": 6},
        {"type": "integer", "multipleOf": 3},
        lost("multipleOf"),
    ),
    of("minLength dropped", TEXT, without(TEXT, "minLength"), lost("minLength")),
    of("maxLength dropped", TEXT, without(TEXT, "maxLength"), lost("maxLength")),
    of("maxLength raised", TEXT, {**TEXT, "maxLength": 1000000}, lost("maxLength")),
    of("pattern dropped", CODE, {"type": "string"}, lost("pattern")),
    of("pattern loosened", CODE, {**CODE, "pattern": "^[A-Z]+$"}, lost("pattern")),
    of(
        "format dropped",
        {"type": "string", "format": "date"},
        {"type": "string"},
        lost("format"),
    ),
    of(
        "date-time to date",
        {"type": "string", "format": "date-time"},
        {"type": "string", "format": "date"},
        lost("format"),
        broke("format"),
    ),
    of("minItems dropped", LIST, without(LIST, "minItems"), lost("minItems")),
    of("maxItems dropped", LIST, without(LIST, "maxItems"), lost("maxItems")),
    of(
        "uniqueItems dropped",
        {**LIST, "uniqueItems": True},
        LIST,
        lost("uniqueItems"),
    ),
    of("items dropped", LIST, without(LIST, "items"), lost("type")),
    of(
        "items widened",
        LIST,
        {**LIST, "items": {"type": ["string", "null"]}},
        lost("type", "/properties/x/items"),
    ),
    of(
        "maxLength dropped in items",
        {"type": "array", "items": TEXT},
        {"type": "array", "items": without(TEXT, "maxLength")},
        lost("maxLength", "/properties/x/items"),
    ),
    of(
        "prefixItems loosened",
        {"type": "array", "prefixItems": [INT, KIND], "items": False},
        {"type": "array", "prefixItems": [INT, {"type": "string"}], "items": False},
        lost("enum", "/properties/x/prefixItems/1"),
    ),
    of(
        "items opened behind prefixItems",
        {"type": "array", "prefixItems": [INT], "items": False},
        {"type": "array", "prefixItems": [INT]},
        lost("items"),
    ),
    of(
        "additionalProperties dropped",
        ITEM,
        without(ITEM, "additionalProperties"),
        lost("additionalProperties"),
    ),
    of(
        "additionalProperties opened",
        ITEM,
        {**ITEM, "additionalProperties": {}},
        lost("additionalProperties"),
    ),
    of(
        "map values widened",
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"type": "object", "additionalProperties": {"type": "number"}},
        lost("type", "/properties/x/additionalProperties"),
    ),
    of("required dropped", ITEM, without(ITEM, "required"), lost("required")),
    of(
        "property to anything",
        tool(a=KIND),
        tool(a={}),
        lost("type", "/properties/x/properties/a"),
        lost("enum", "/properties/x/properties/a"),
    ),
    of(
        "property added to a closed object",
        ITEM,
        {**ITEM, "properties": {**ITEM["properties"], "more": {"type": "string"}}},
        lost("properties"),
    ),
    of(
        "unevaluatedProperties dropped",
        without(ITEM, "additionalProperties", unevaluatedProperties=False),
        without(ITEM, "additionalProperties"),
        lost("unevaluatedProperties"),
    ),
    of(
        "propertyNames dropped",
        {"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}},
        {"type": "object"},
        lost("propertyNames"),
    ),
    of(
        "patternProperties loosened",
        {"type": "object", "patternProperties": {"^n_": INT}},
        {"type": "object", "patternProperties": {"^n_": without(INT, "maximum")}},
        lost("maximum", "/properties/x/patternProperties/^n_"),
    ),
    of(
        "minProperties dropped",
        {"type": "object", "minProperties": 1},
        {"type": "object"},
        lost("minProperties"),
    ),
    of(
        "maxProperties dropped",
        {"type": "object", "maxProperties": 2},
        {"type": "object"},
        lost("maxProperties"),
    ),
    of(
        "dependentRequired dropped",
        {**tool(a=TEXT, b=TEXT, c=TEXT), "dependentRequired": {"b": ["c"]}},
        tool(a=TEXT, b=TEXT, c=TEXT),
        lost("dependentRequired"),
    ),
    of(
        "contains dropped",
        {"type": "array", "contains": {"const": 1}},
        {"type": "array"},
        lost("contains"),
    ),
    of(
        "not dropped",
        {"type": "string", "not": {"const": "root"}},
        {"type": "string"},
        lost("not"),
    ),
    of(
        "if dropped",
        {
            **tool(a=KIND, b=TEXT),
            "if": {"properties": {"a": {"const": "trade"}}, "required": ["a"]},
            "then": {"required": ["b"]},
        },
        tool(a=KIND, b=TEXT),
        lost("if"),
    ),
    of(
        "null admitted by anyOf",
        KIND,
        {"anyOf": [KIND, NULL], "default": None},
        lost("type"),
    ),
    of(
        "null admitted by type", INT, {**INT, "type": ["integer", "null"]}, lost("type")
    ),
    of(
        "enum lost inside anyOf null",
        {"anyOf": [KIND, NULL]},
        {"anyOf": [{"type": "string"}, NULL]},
        lost("enum"),
    ),
    of(
        "bounds lost inside anyOf null",
        {"type": ["integer", "null"], "minimum": 1, "maximum": 25},
        {"anyOf": [{"type": "integer"}, NULL]},
        lost("minimum"),
        lost("maximum"),
    ),
    of(
        "bound lost in a branch",
        {"anyOf": [INT, TEXT]},
        {"anyOf": [INT, without(TEXT, "maxLength")]},
        lost("maxLength"),
    ),
    of(
        "branch added",
        {"anyOf": [ITEM, tool(name=TEXT)]},
        {"anyOf": [ITEM, tool(name=TEXT), tool(other=TEXT)]},
        lost("anyOf"),
    ),
    of(
        "bound lost in one of two objects",
        {"oneOf": [ITEM, tool(name=TEXT)]},
        {"oneOf": [ITEM, tool(name=without(TEXT, "maxLength"))]},
        lost("maxLength", "/properties/x/oneOf/1/properties/name"),
    ),
    of(
        "oneOf made anyOf",
        {
            "oneOf": [
                {"type": "integer", "multipleOf": 3},
                {"type": "integer", "multipleOf": 5},
            ]
        },
        {
            "anyOf": [
                {"type": "integer", "multipleOf": 3},
                {"type": "integer", "multipleOf": 5},
            ]
        },
        lost("oneOf"),
    ),
    of("allOf branch dropped", {"allOf": [TEXT, CODE]}, TEXT, lost("pattern")),
    Pair(
        "bound lost behind $ref",
        {**tool(q={"$ref": "#/$defs/N"}), "$defs": {"N": INT}},
        {**tool(q={"$ref": "#/$defs/N"}), "$defs": {"N": {"type": "integer"}}},
        (lost("minimum", "/$defs/N"), lost("maximum", "/$defs/N")),
    ),
    Pair(
        "enum lost where $ref was inlined",
        {**tool(q={"$ref": "#/$defs/K"}), "$defs": {"K": KIND}},
        tool(q={"type": "string"}),
        (lost("enum", "/properties/q"),),
    ),
    Pair(
        "closedness lost in $ref in items",
        {
            **tool(q={"type": "array", "items": {"$ref": "#/$defs/I"}}),
            "$defs": {"I": ITEM},
        },
        {
            **tool(q={"type": "array", "items": {"$ref": "#/$defs/I"}}),
            "$defs": {"I": without(ITEM, "additionalProperties")},
        },
        (lost("additionalProperties", "/$defs/I"),),
    ),
    Pair(
        "bound lost in a recursive type",
        {
            "$ref": "#/$defs/T",
            "$defs": {
                "T": tool(
                    name=TEXT, below={"type": "array", "items": {"$ref": "#/$defs/T"}}
                )
            },
        },
        {
            "$ref": "#/$defs/T",
            "$defs": {
                "T": tool(
                    name={"type": "string", "minLength": 2},
                    below={"type": "array", "items": {"$ref": "#/$defs/T"}},
                )
            },
        },
        (lost("maxLength", "/$defs/T/properties/name"),),
    ),
    Pair(
        "everything dropped",
        tool(q=KIND),
        {"type": "object"},
        (
            lost("required", ""),
            lost("properties", ""),
            lost("additionalProperties", ""),
        ),
    ),
    Pair(
        "the whole schema dropped",
        tool(q=KIND),
        True,
        (
            lost("type", ""),
            lost("required", ""),
            lost("properties", ""),
            lost("additionalProperties", ""),
        ),
    ),
    Pair(
        "maximum of draft 4 dropped",
        {
            "$schema": "http://json-schema.org/draft-04/schema#",
            **tool(q={"type": "number", "maximum": 5, "exclusiveMaximum": True}),
        },
        {
            "$schema": "http://json-schema.org/draft-04/schema#",
            **tool(q={"type": "number", "maximum": 5}),
        },
        (lost("exclusiveMaximum", "/properties/q"),),
    ),
    Pair(
        "pointer with ~ and /",
        tool(**{"a/b~c": TEXT}),
        tool(**{"a/b~c": {"type": "string", "minLength": 2}}),
        (lost("maxLength", "/properties/a~1b~0c"),),
    ),
)

NARROWER = (
    of("enum value removed", KIND, {**KIND, "enum": ["trade"]}, broke("enum")),
    of("maximum lowered", INT, {**INT, "maximum": 10}, broke("maximum")),
    of("maximum added", without(INT, "maximum"), INT, broke("maximum")),
    of("pattern added", {"type": "string"}, CODE, broke("pattern")),
    of(
        "type narrowed", {"type": ["string", "null"]}, {"type": "string"}, broke("type")
    ),
    of(
        "items closed",
        without(ITEM, "additionalProperties"),
        ITEM,
        broke("additionalProperties"),
    ),
    of("maxItems added", without(LIST, "maxItems"), LIST, broke("maxItems")),
    of(
        "maxLength lowered and minLength dropped",
        TEXT,
        {"type": "string", "maxLength": 4},
        lost("minLength"),
        broke("maxLength"),
    ),
    of(
        "property removed from a closed object",
        ITEM,
        tool(id=ITEM["properties"]["id"]),
        broke("properties"),
    ),
    Pair(
        "required added",
        {**tool(q=TEXT, n=INT)},
        {**tool(q=TEXT, n=INT), "required": ["q", "n"]},
        (broke("required", ""),),
    ),
    Pair(
        "required moved",
        {**tool(q=TEXT, n=INT), "required": ["q"]},
        {**tool(q=TEXT, n=INT), "required": ["n"]},
        (lost("required", ""), broke("required", "")),
    ),
    of(
        "default lost",
        {**INT, "default": 5},
        INT,
        (CHANGED, "default", "/properties/x"),
    ),
    of(
        "default changed",
        {**INT, "default": 5},
        {**INT, "default": 6},
        (CHANGED, "default", "/properties/x"),
    ),
    of(
        "a format that nobody checks",
        {"type": "string", "format": "color"},
        {"type": "string"},
        (CHANGED, "format", "/properties/x"),
    ),
)

OUTPUT = (
    of(
        "output: enum widened",
        KIND,
        {"type": "string"},
        broke("enum"),
        direction="output",
    ),
    of(
        "output: maximum dropped",
        INT,
        without(INT, "maximum"),
        broke("maximum"),
        direction="output",
    ),
    of(
        "output: required dropped",
        ITEM,
        without(ITEM, "required"),
        broke("required"),
        direction="output",
    ),
    of(
        "output: null may come",
        KIND,
        {"anyOf": [KIND, NULL]},
        broke("type"),
        direction="output",
    ),
    of(
        "output: maximum lowered",
        INT,
        {**INT, "maximum": 10},
        lost("maximum"),
        direction="output",
    ),
)

SAME = tuple(
    pair if isinstance(pair, Pair) else of(*pair)
    for pair in (
        (
            "nullable: type list and anyOf",
            {"type": ["string", "null"]},
            {"anyOf": [{"type": "string"}, NULL]},
        ),
        (
            "nullable: oneOf and OpenAPI",
            {"oneOf": [TEXT, NULL]},
            {**TEXT, "nullable": True},
        ),
        (
            "nullable: enum with null",
            {"type": ["string", "null"], "enum": ["military", "trade", None]},
            {"anyOf": [KIND, NULL]},
        ),
        ("nullable: OpenAPI enum", {**KIND, "nullable": True}, {"anyOf": [KIND, NULL]}),
        (
            "nullable: const null",
            {"anyOf": [INT, {"const": None}]},
            {**INT, "type": ["null", "integer"]},
        ),
        (
            "titles and examples",
            INT,
            {**INT, "title": "N", "description": "n", "examples": [3], "$comment": "c"},
        ),
        ("order of enum", KIND, {"enum": ["trade", "military"], "type": "string"}),
        (
            "enum with its type",
            {"enum": ["a", "b"]},
            {"type": "string", "enum": ["a", "b"]},
        ),
        ("const and enum of one", {"const": "a"}, {"enum": ["a"]}),
        (
            "enum split in anyOf",
            {"enum": ["a", "b"]},
            {"anyOf": [{"const": "a"}, {"const": "b"}]},
        ),
        (
            "enum split in oneOf",
            {"enum": ["a", "b"]},
            {"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]},
        ),
        ("allOf of one", INT, {"allOf": [INT]}),
        (
            "allOf merged",
            TEXT,
            {"allOf": [{"type": "string", "minLength": 2}, {"maxLength": 8}]},
        ),
        (
            "integer as a multiple of one",
            {"type": "integer"},
            {"type": "number", "multipleOf": 1},
        ),
        (
            "exclusive bounds of an integer",
            INT,
            {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 26},
        ),
        (
            "bounds of an integer as a fraction",
            INT,
            {"type": "integer", "minimum": 0.5, "maximum": 25.5},
        ),
        (
            "range and enum",
            {"type": "integer", "minimum": 1, "maximum": 3},
            {"enum": [1, 2, 3]},
        ),
        ("booleans listed", {"type": "boolean"}, {"enum": [True, False]}),
        (
            "minLength of nothing",
            {"type": "string"},
            {"type": "string", "minLength": 0},
        ),
        (
            "minItems of nothing",
            {"type": "array"},
            {"type": "array", "minItems": 0, "uniqueItems": False, "items": {}},
        ),
        (
            "pattern of everything",
            {"type": "string"},
            {"type": "string", "pattern": ".*"},
        ),
        ("required of nothing", {"type": "object"}, {"type": "object", "required": []}),
        (
            "open: absent and true",
            {"type": "object"},
            {"type": "object", "additionalProperties": True},
        ),
        (
            "open: true and empty",
            {"type": "object", "additionalProperties": True},
            {"type": "object", "additionalProperties": {}, "properties": {}},
        ),
        (
            "anyOf and oneOf of two types",
            {"anyOf": [INT, TEXT]},
            {"oneOf": [TEXT, INT]},
        ),
        (
            "types split",
            {"type": ["string", "integer"]},
            {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        ),
        (
            "oneOf told apart by a tag",
            {"oneOf": [tool(t={"const": "a"}, n=INT), tool(t={"const": "b"}, n=TEXT)]},
            {"anyOf": [tool(t={"const": "a"}, n=INT), tool(t={"const": "b"}, n=TEXT)]},
        ),
        (
            "branches in another order",
            {"anyOf": [ITEM, tool(name=TEXT)]},
            {"anyOf": [tool(name=TEXT), ITEM]},
        ),
        (
            "closed by unevaluatedProperties",
            ITEM,
            without(ITEM, "additionalProperties", unevaluatedProperties=False),
        ),
        (
            "closed around allOf",
            ITEM,
            {
                "allOf": [without(ITEM, "additionalProperties")],
                "unevaluatedProperties": False,
            },
        ),
        ("1 and 1.0", {"enum": [1, 2]}, {"enum": [1.0, 2]}),
        (
            "property that can never be",
            {"type": "object", "properties": {"a": False}},
            {"type": "object", "properties": {"a": {"not": {}}}},
        ),
        (
            "an equal condition",
            {"type": "object", "if": {"required": ["a"]}, "then": {"required": ["b"]}},
            {
                "type": "object",
                "title": "t",
                "if": {"required": ["a"]},
                "then": {"required": ["b"]},
            },
        ),
        (
            "an equal not",
            {"type": "string", "not": {"const": "a"}},
            {"type": "string", "not": {"enum": ["a"]}},
        ),
        Pair(
            "$defs renamed",
            {**tool(q={"$ref": "#/$defs/Kind"}), "$defs": {"Kind": KIND}},
            {**tool(q={"$ref": "#/definitions/K"}), "definitions": {"K": KIND}},
            (),
        ),
        Pair(
            "$ref inlined",
            {**tool(q={"$ref": "#/$defs/Kind"}), "$defs": {"Kind": KIND}},
            tool(q=KIND),
            (),
        ),
        Pair(
            "$ref by anchor and by $id",
            {**tool(q={"$ref": "#kind"}), "$defs": {"K": {"$anchor": "kind", **KIND}}},
            {
                "$id": "https://example.invalid/tool",
                **tool(q={"$ref": "kind"}),
                "$defs": {"K": {"$id": "kind", **KIND}},
            },
            (),
        ),
        Pair(
            "$ref in anyOf null",
            {**tool(q={"anyOf": [{"$ref": "#/$defs/K"}, NULL]}), "$defs": {"K": KIND}},
            tool(q={"type": ["string", "null"], "enum": ["military", "trade", None]}),
            (),
        ),
        Pair(
            "a tree unrolled once",
            {
                "$ref": "#/$defs/T",
                "$defs": {
                    "T": tool(
                        name=TEXT,
                        below={"type": "array", "items": {"$ref": "#/$defs/T"}},
                    )
                },
            },
            {
                **tool(
                    name=TEXT, below={"type": "array", "items": {"$ref": "#/$defs/U"}}
                ),
                "$defs": {
                    "U": tool(
                        name=TEXT,
                        below={"type": "array", "items": {"$ref": "#/$defs/U"}},
                    )
                },
            },
            (),
        ),
        Pair(
            "draft 4 and 2020-12",
            {
                "$schema": "http://json-schema.org/draft-04/schema#",
                **tool(q={"type": "number", "minimum": 0, "exclusiveMinimum": True}),
            },
            {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                **tool(q={"type": "number", "exclusiveMinimum": 0}),
            },
            (),
        ),
        Pair(
            "draft 7 and none",
            {
                "$schema": "http://json-schema.org/draft-07/schema#",
                **tool(q={"type": "array", "items": [INT], "additionalItems": False}),
            },
            tool(q={"type": "array", "prefixItems": [INT], "items": False}),
            (),
        ),
        Pair(
            "tuple without a draft",
            tool(q={"type": "array", "items": [INT, TEXT]}),
            tool(q={"type": "array", "prefixItems": [INT, TEXT]}),
            (),
        ),
        Pair(
            "order of required",
            {**tool(q=TEXT, n=INT), "required": ["q", "n"]},
            {**tool(q=TEXT, n=INT), "required": ["n", "q"]},
            (),
        ),
        Pair(
            "dangling in both alike",
            tool(q={"$ref": "#/$defs/Gone"}),
            {**tool(q={"$ref": "#/$defs/Gone"}), "title": "t"},
            (),
        ),
    )
)

PAIRS = (*WEAKER, *NARROWER, *OUTPUT, *SAME)
