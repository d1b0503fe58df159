"""What an answer says of the call: one table, good and bad side by side."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_agentgate.contract.formats import parse
from pytest_agentgate.contract.schema.samples import Sample
from pytest_agentgate.contract.tool import ToolContract
from pytest_agentgate.grading.context import Context
from pytest_agentgate.grading.probing import (
    crash_text,
    difference,
    judge,
    named,
    not_equal,
    outcome,
)

CONTRACT = ToolContract(
    name="find",
    input_schema={
        "type": "object",
        "properties": {
            "day": {"type": "string"},
            "until": {"type": "string"},
            "page_size": {"type": "integer", "maximum": 9},
        },
        "required": ["day"],
        "additionalProperties": False,
    },
)
FOUND = {"status": "success", "summary": "1.", "payload": [1], "source": "table"}


def context(arguments: dict[str, Any]) -> Context:
    return Context(tool="find", arguments=arguments, contract=CONTRACT)


def failed(summary: str, **more: Any) -> dict[str, Any]:
    advice = ["Ask for it once; if that fails too, stop."]
    return {"status": "error", "summary": summary, "next_actions": advice, **more}


def said(raw: Any, sent: Sample, raised: str | None = None) -> list[tuple[str, str]]:
    result = parse(raw, raised=raised)
    found = judge(sent, result, context(sent.arguments))
    return [(finding.rule, finding.message) for finding in found]


def allowed(**arguments: Any) -> Sample:
    return Sample(arguments or {"day": "a"}, True, "/day", "minLength", "boundary")


def forbidden(about: str = "/page_size", keyword: str = "maximum") -> Sample:
    return Sample({"day": "a", "page_size": 10}, False, about, keyword, "violation")


def is_error(text: str, flag: bool = True) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": flag}


class TestOutcome:
    @pytest.mark.parametrize(
        ("raw", "wanted"),
        [
            (FOUND, "accepted"),
            ({**FOUND, "payload": []}, "accepted"),
            (failed("No."), "refused"),
            ({**FOUND, "payload": {"ok": False, "error": "failed"}}, "unclear"),
            ({**FOUND, "status": "warning"}, "unclear"),
            ({"rows": 3}, "unclear"),
            (is_error("12 left", flag=False), "accepted"),
            (is_error("12 left"), "refused"),
            (is_error("Error: no such table", flag=False), "unclear"),
        ],
    )
    def test_is_read_from_the_answer(self, raw: Any, wanted: str) -> None:
        assert outcome(parse(raw), context({})) == wanted

    def test_raised(self) -> None:
        assert outcome(parse(None, raised="KeyError: 'a'"), context({})) == "raised"


class TestForbiddenCalls:
    def test_let_through_is_named_with_argument_and_keyword(self) -> None:
        sent = forbidden()
        [finding] = judge(sent, parse(FOUND), context(sent.arguments))
        assert finding.rule == "contract.undeclared"
        assert finding.message == (
            "a call that breaks the input schema succeeds: argument 'page_size'"
        )
        assert finding.seen == "maximum: 10"
        assert finding.path == "/page_size"

    def test_a_missing_argument_is_shown_as_left_out(self) -> None:
        sent = Sample({}, False, "/day", "required", "violation")
        [finding] = judge(sent, parse(FOUND), context({}))
        assert finding.seen == "required: left out"

    @pytest.mark.parametrize(
        "summary",
        [
            "page_size is 10, and 9 is the most.",
            "The page size must be at most 9.",
            "Bad argument 'page-size'.",
            "Der Wert von page_size ist zu groß.",
        ],
    )
    def test_refused_by_name_is_right(self, summary: str) -> None:
        assert said(failed(summary), forbidden()) == []

    def test_the_name_may_stand_in_the_advice(self) -> None:
        told = failed("Bad arguments.", next_actions=["Give page_size 1 to 9."])
        assert said(told, forbidden()) == []

    def test_the_name_of_the_whole_is_enough_for_a_part(self) -> None:
        sent = forbidden("/filter/kind/0", "enum")
        assert said(failed("The filter is none that is known."), sent) == []
        assert said(failed("The kind is none that is known."), sent) == []
        assert said(failed("That is none that is known."), sent) != []

    @pytest.mark.parametrize(
        "summary", ["The request is not valid.", "The value 10 is too large."]
    )
    def test_a_refusal_without_the_name(self, summary: str) -> None:
        assert said(failed(summary), forbidden()) == [
            (
                "recovery.root-cause",
                "the error does not name the argument that is wrong: 'page_size'",
            )
        ]

    @pytest.mark.parametrize(
        "raw",
        [
            failed("Internal error in page_size."),
            failed("An unexpected error occurred (page_size)."),
            is_error("Error executing tool find"),
        ],
    )
    def test_called_an_internal_error(self, raw: Any) -> None:
        assert said(raw, forbidden()) == [
            (
                "recovery.root-cause",
                "bad arguments are called an internal error: argument 'page_size'",
            )
        ]

    def test_a_failure_as_success_is_not_called_let_through(self) -> None:
        hidden = {**FOUND, "payload": {"ok": False, "error": "page_size"}}
        assert said(hidden, forbidden()) == []

    def test_a_warning_can_be_read_in_two_ways(self) -> None:
        assert said({**FOUND, "status": "warning"}, forbidden()) == []

    def test_what_was_raised_is_the_rules_own_matter(self) -> None:
        assert said(None, forbidden(), raised="TypeError: page_size") == []


class TestAllowedCalls:
    @pytest.mark.parametrize(
        "summary",
        [
            "The argument 'day' must be a date, as YYYY-MM-DD.",
            "day: expected a date.",
            "day must not be empty",
            "time data 'a' does not match the format of day",
            "1 validation error for findArguments: day: too short",
        ],
    )
    def test_refused_for_its_form(self, summary: str) -> None:
        assert said(failed(summary), allowed()) == [
            (
                "contract.undeclared",
                "the schema under-declares what the code demands of argument 'day'",
            )
        ]

    def test_an_argument_that_no_schema_declares(self) -> None:
        found = said(failed("The argument 'zone' is missing."), allowed())
        assert found[0][1].endswith("of argument 'zone'")

    def test_an_optional_one_that_is_demanded(self) -> None:
        found = said(failed("With day, until is required."), allowed())
        assert found[0][1].endswith("of argument 'until'")

    @pytest.mark.parametrize(
        "summary",
        [
            "There is no entry for day 'a'.",
            "day 'a' was not found; it must be in the calendar.",
            "day must be one of the days of the calendar: mon, tue.",
            "The calendar is unavailable; the day is required for it.",
            "Request timed out: day must be asked again.",
            "until must be after day",
            "Too many requests are expected.",
            "No.",
        ],
    )
    def test_other_reasons_are_no_demand(self, summary: str) -> None:
        sent = allowed(day="a", until="b")
        assert said(failed(summary), sent) == []

    def test_accepted_is_right(self) -> None:
        assert said(FOUND, allowed()) == []


class TestCrash:
    def test_is_known_by_the_frameworks_sentence(self) -> None:
        assert crash_text(parse(is_error("Error executing tool find")))

    @pytest.mark.parametrize(
        "raw",
        [
            is_error("Error executing tool find: no entry for 'a'"),
            is_error("Error executing tool find", flag=False),
            failed("Error executing tool find"),
        ],
    )
    def test_what_was_written_for_the_model_is_none(self, raw: Any) -> None:
        assert crash_text(parse(raw)) == ""


class TestDifference:
    @pytest.mark.parametrize(
        ("one", "other", "path"),
        [
            ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, "/a/1/b"),
            ({"a": 1}, {}, "/a"),
            ([1], [1, 2], "/1"),
            (True, 1, ""),
            ({"a": None}, {}, "/a"),
        ],
    )
    def test_names_the_first_place(self, one: Any, other: Any, path: str) -> None:
        found = difference(one, other)
        assert found is not None
        assert found.path == path

    @pytest.mark.parametrize("value", [1, 1.0, float("nan"), {"a": [None]}, "é"])
    def test_equal_values(self, value: Any) -> None:
        assert difference(value, value) is None

    def test_int_and_float_are_one_number(self) -> None:
        assert difference({"a": 1}, {"a": 1.0}) is None

    def test_depth_is_no_matter(self) -> None:
        deep: Any = 1
        for _ in range(20_000):
            deep = [deep]
        assert difference(deep, deep) is None

    def test_volatile_places_are_left_out(self) -> None:
        first = parse({**FOUND, "payload": {"at": 1, "n": 2}})
        second = parse({**FOUND, "payload": {"at": 9, "n": 2}})
        assert not_equal(first, second, ["/payload/at"]) is None
        found = not_equal(first, second, ["/payload/n"])
        assert found is not None
        assert found.rule == "contract.deterministic"
        assert found.seen == "/payload/at: 1 became 9"


@pytest.mark.parametrize(
    ("about", "name"),
    [("", ""), ("/a", "a"), ("a", "a"), ("/a/b/0", "b"), ("/a~1b", "a/b")],
)
def test_the_argument_of_a_place(about: str, name: str) -> None:
    assert named(about) == name
