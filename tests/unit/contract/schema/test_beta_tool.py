"""A generated schema against the explicit one (ADR-001): what the generator lost."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest

from pytest_agentgate.contract.schema.weakening import Difference, compare

anthropic = pytest.importorskip("anthropic")
pydantic = pytest.importorskip("pydantic")

Kind = Literal["military", "trade"]
Count = Annotated[int, pydantic.Field(ge=1, le=25)]
QUERY = {"type": "string"}
KIND = {"enum": ["military", "trade", None]}
COUNT = {"type": "integer", "minimum": 1, "maximum": 25, "default": 5}
DECLARED = {
    "type": "object",
    "properties": {"query": QUERY, "kind": KIND, "n_results": COUNT},
    "required": ["query"],
    "additionalProperties": False,
}


def served(function: Any) -> dict[str, Any]:
    schema = anthropic.beta_tool(function).to_dict()["input_schema"]
    assert isinstance(schema, dict)
    return schema


def by_keyword(found: tuple[Difference, ...]) -> dict[tuple[str, str], Any]:
    for one in found:
        assert one.witness is not None
        assert one.witness.accepted_by == "served"
    return {(one.keyword, one.path): one.witness and one.witness.value for one in found}


def test_the_lost_enum_and_the_lost_bounds_are_named_with_a_witness() -> None:
    def search(query: str, kind: str | None = None, n_results: int = 5) -> str:
        """Search the notes."""
        return query + str(kind) + str(n_results)

    comparison = compare(DECLARED, served(search))
    lost = by_keyword(comparison.weakened)
    assert set(lost) == {
        ("enum", "/kind"),
        ("minimum", "/n_results"),
        ("maximum", "/n_results"),
    }
    assert lost["enum", "/kind"]["kind"] not in KIND["enum"]
    assert lost["minimum", "/n_results"]["n_results"] == 0
    assert lost["maximum", "/n_results"]["n_results"] == 26
    assert len(comparison.differences) == 3


def test_nothing_is_lost_with_literal_and_field() -> None:
    def search(query: str, kind: Kind | None = None, n_results: Count = 5) -> str:
        """Search the notes."""
        return query + str(kind) + str(n_results)

    assert compare(DECLARED, served(search)).differences == ()


def test_null_is_new_where_the_explicit_schema_does_not_admit_it() -> None:
    def search(query: str, kind: Kind | None = None, n_results: Count = 5) -> str:
        """Search the notes."""
        return query + str(kind) + str(n_results)

    strict = {"type": "string", "enum": ["military", "trade"]}
    declared = {**DECLARED, "properties": {**DECLARED["properties"], "kind": strict}}
    (one,) = compare(declared, served(search)).differences
    assert (one.kind, one.keyword, one.path) == ("weakened", "type", "/kind")
    assert one.witness is not None
    assert one.witness.value["kind"] is None
