"""The reference validator, the fast one, and a careful one for what is made up."""

from __future__ import annotations

import sys
import time
from typing import Any

import jsonschema
import pytest

from pytest_agentgate.contract.schema.validation import (
    Acceptance,
    check_schema,
    fast,
    reference,
)

DRAFTS = {
    "draft-03": jsonschema.Draft3Validator,
    "draft-04": jsonschema.Draft4Validator,
    "draft-06": jsonschema.Draft6Validator,
    "draft-07": jsonschema.Draft7Validator,
    "2019-09": jsonschema.Draft201909Validator,
    "2020-12": jsonschema.Draft202012Validator,
}


@pytest.mark.parametrize("draft", DRAFTS)
def test_the_reference_is_of_the_schemas_own_draft(draft: str) -> None:
    kind = DRAFTS[draft]
    schema = {"$schema": kind.META_SCHEMA.get("$id", kind.META_SCHEMA.get("id"))}
    assert isinstance(reference(schema), kind)


def test_a_schema_without_a_draft_is_of_the_newest() -> None:
    assert isinstance(reference({}), jsonschema.Draft202012Validator)


def test_a_format_is_demanded_only_where_asked() -> None:
    schema = {"type": "string", "format": "date-time"}
    assert reference(schema).is_valid("yesterday")
    assert not reference(schema, formats=True).is_valid("yesterday")
    assert reference(schema, formats=True).is_valid("2024-01-01T00:00:00Z")


def test_both_refuse_a_remote_reference() -> None:
    schema = {"$ref": "https://example.invalid/schema.json"}
    assert fast(schema) is None
    with pytest.raises(Exception, match=r"example\.invalid"):
        reference(schema).is_valid(1)
    assert Acceptance(schema)(1) is None


def test_there_is_no_fast_one_where_it_is_not_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    assert fast({"type": "string"}) is None


def test_the_fast_one_agrees() -> None:
    pytest.importorskip("jsonschema_rs")
    check = fast({"type": "object", "required": ["a"]})
    assert check is not None
    assert check({"a": 1})
    assert not check({})


@pytest.mark.parametrize("schema", [{"type": "text"}, {"required": "a"}, 3])
def test_a_wrong_schema(schema: Any) -> None:
    with pytest.raises(Exception, match=r".+"):
        check_schema(schema)


@pytest.mark.parametrize(
    "schema",
    [
        {"pattern": "^(a|a)*b$"},
        {"patternProperties": {"^(a|a)*b$": {}}},
        {"patternProperties": {"^(a|a)*b$": {}}, "additionalProperties": False},
    ],
)
def test_a_hostile_pattern_is_not_run_on_a_long_text(schema: dict[str, Any]) -> None:
    long = "a" * 5_000
    start = time.perf_counter()
    assert Acceptance(schema)(long if "pattern" in schema else {long: 1}) is None
    assert time.perf_counter() - start < 1
    assert Acceptance(schema)("aab" if "pattern" in schema else {"aab": 1}) is True


def test_a_part_of_a_schema() -> None:
    schema = {
        "$defs": {"T": {"type": "string"}},
        "properties": {"a": {"$ref": "#/$defs/T"}},
    }
    accepts = Acceptance(schema, schema["properties"]["a"])
    assert accepts("text") is True
    assert accepts(1) is False
