"""The policy's observation block: what it accepts, and how it reads."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from pytest_agentgate.contract.mapping import (
    DEFAULT_MAPPING,
    ObservationMapping,
    as_actions,
    read_own_names,
    resolve,
)

HOUSE = {
    "status": {"from": "ok", "when": {"true": "success", "false": "error"}},
    "summary": ["error.message", "message"],
    "payload": "data",
    "source": "meta.origin",
    "next_actions": "error.hint",
}


def read(block, fields):
    return ObservationMapping.model_validate(block).compiled()(fields)


class TestReading:
    def test_success_in_house_names(self):
        fields = {"ok": True, "message": "3 rows", "data": [], "meta": {"origin": "db"}}
        seen = read(HOUSE, fields)
        assert (seen.status, seen.summary) == ("success", "3 rows")
        assert (seen.payload, seen.source, seen.next_actions) == ([], "db", ())
        assert seen.fields is fields

    def test_error_in_house_names(self):
        seen = read(HOUSE, {"ok": False, "error": {"message": "no", "hint": "ask"}})
        assert (seen.status, seen.summary) == ("error", "no")
        assert seen.next_actions == ("ask",)

    def test_a_field_left_out_keeps_its_own_name(self):
        seen = read({"payload": "data"}, {"status": "error", "data": 1, "payload": 2})
        assert (seen.status, seen.payload) == ("error", 1)

    def test_a_mapped_field_does_not_fall_back_to_its_own_name(self):
        assert read({"payload": "data"}, {"payload": 2}).payload is None

    @pytest.mark.parametrize("falsy", [0, False, "", []])
    def test_falsy_is_present_and_null_is_not(self, falsy):
        block = {"payload": ["a", "b"]}
        assert read(block, {"a": falsy, "b": 9}).payload == falsy
        assert read(block, {"a": None, "b": 9}).payload == 9

    @pytest.mark.parametrize("place", ["nested", "top"])
    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("root_cause", "quota"),
            ("remediation", "wait"),
            ("stop_condition", "twice"),
            ("retryable", False),
            ("retry_after", 0),
        ],
    )
    def test_recovery_fields_by_default(self, name, value, place):
        fields = {"error": {name: value}} if place == "nested" else {name: value}
        assert getattr(read_own_names(fields), name) == value

    def test_the_nested_recovery_field_wins(self):
        seen = read_own_names({"error": {"root_cause": "in"}, "root_cause": "top"})
        assert seen.root_cause == "in"

    @pytest.mark.parametrize("error", [None, "text", ["root_cause"], 5])
    def test_an_error_that_is_no_mapping_hides_nothing(self, error):
        assert read_own_names({"error": error, "root_cause": "x"}).root_cause == "x"

    def test_recovery_fields_can_be_mapped(self):
        seen = read({"root_cause": "why", "retryable": "again"}, {"why": 1, "again": 0})
        assert (seen.root_cause, seen.retryable) == (1, 0)


class TestWhen:
    @pytest.mark.parametrize(
        ("when", "value", "status"),
        [
            ({"true": "success"}, True, "success"),
            ({"200": "success"}, 200, "success"),
            ({"200": "success"}, "200", "success"),
            ({"0.5": "warning"}, 0.5, "warning"),
            ({"ok": "success"}, "ok", "success"),
            ({"null": "warning"}, None, "warning"),
            ({"present": "error", "absent": "success"}, {"code": 1}, "error"),
            ({"present": "error", "absent": "success"}, None, "success"),
            ({"present": "error", "absent": "success"}, "", "error"),
            ({"true": "success", "present": "error"}, True, "success"),
            ({"true": "success", "default": "warning"}, "odd", "warning"),
            ({"default": "warning"}, None, "warning"),
            ({"ok": "success"}, "odd", "odd"),
            ({"1": "success"}, True, True),
        ],
    )
    def test_values(self, when, value, status):
        seen = read({"status": {"from": "s", "when": when}}, {"s": value}).status
        assert seen == status
        assert type(seen) is type(status)

    def test_an_integer_too_long_to_spell_is_kept(self):
        block = {"status": {"from": "s", "when": {"ok": "success"}}}
        assert read(block, {"s": 10**5000}).status == 10**5000

    def test_keys_that_yaml_has_read_as_values(self):
        when = {True: "success", False: "error", 429: "warning", None: "error"}
        block = {"status": {"from": ["a", "b"], "when": when}}
        assert read(block, {"b": True}).status == "success"
        assert read(block, {"a": 429}).status == "warning"
        assert read(block, {}).status == "error"


class TestPaths:
    @pytest.mark.parametrize(
        ("path", "found"),
        [
            ("items.0.text", "x"),
            ("items.1.text", None),
            ("items.-1.text", None),
            pytest.param("items." + "9" * 5000, None, id="long index"),
            ("items.²", None),
            ("a.b", "literal"),
            ("meta.io.x/y", 7),
            ("meta.none.more", None),
            ("meta.text.0", None),
            ("nowhere", None),
            ("..", None),
        ],
    )
    def test_resolve(self, path, found):
        fields = {
            "items": [{"text": "x"}],
            "a.b": "literal",
            "a": {"b": "nested"},
            "meta": {"io.x/y": 7, "none": None, "text": "abc"},
        }
        assert resolve(fields, path) == found

    def test_a_null_literal_key_is_absent(self):
        assert resolve({"a.b": None, "a": {"b": 1}}, "a.b") == 1


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (
            {"sumary": "x"},
            "the contract has no field 'sumary': did you mean 'summary'?",
        ),
        ({1: "x"}, "the contract has no field 1: one of: next_actions, "),
        ({"summary": 5}, "expected a path such as 'error.message', a list"),
        ({"summary": ""}, "expected a path such as"),
        ({"summary": ["a", " "]}, "expected a path such as"),
        ({"summary": ["a", 5]}, "expected a path such as"),
        ({"source": {"const": "kb"}}, "or {from: path, when: {value: status}}"),
        ({"status": {"when": {"true": "success"}}}, "expected a path such as"),
        ({"status": {"from": "ok", "when": 5}}, "expected value: status pairs"),
        (
            {"status": {"from": "ok", "when": {"true": "fine"}}},
            "Input should be 'success', 'warning' or 'error'",
        ),
        ({"summary": {"from": "a", "when": {"x": "error"}}}, "'summary' takes paths"),
        ({"text": True, "summary": "a"}, "'text' stands alone"),
        ("txt", "expected the word 'text', or field: path pairs"),
        (["text"], "expected the word 'text', or field: path pairs"),
    ],
)
def test_a_bad_block_says_what_is_allowed(block, said):
    with pytest.raises(ValidationError) as caught:
        ObservationMapping.model_validate(block)
    assert said in str(caught.value)


def test_errors_name_the_place():
    block = {"status": {"from": "ok", "when": {"true": "fine"}}}
    with pytest.raises(ValidationError) as caught:
        ObservationMapping.model_validate(block)
    assert caught.value.errors()[0]["loc"] == ("status", "when", "true")


def test_an_empty_list_of_paths_is_refused():
    with pytest.raises(ValidationError) as caught:
        ObservationMapping.model_validate({"status": []})
    assert "at least 1 item" in str(caught.value)


def test_the_word_text():
    assert ObservationMapping.model_validate("text").text is True
    assert ObservationMapping.model_validate(None) == DEFAULT_MAPPING


def test_compiled_is_made_once_and_survives_pickling():
    mapping = ObservationMapping.model_validate(HOUSE)
    assert mapping.compiled() is mapping.compiled()
    copy = pickle.loads(pickle.dumps(mapping))
    assert copy == mapping
    assert copy.compiled()({"ok": True}).status == "success"


def test_a_dump_can_be_validated_again():
    mapping = ObservationMapping.model_validate(HOUSE)
    dumped = mapping.model_dump(by_alias=True)
    assert ObservationMapping.model_validate(dumped) == mapping


@pytest.mark.parametrize(
    ("value", "actions"),
    [
        (None, ()),
        ("a", ("a",)),
        ([], ()),
        (["a", 1], ("a", 1)),
        ({"x": 1}, ({"x": 1},)),
    ],
)
def test_as_actions(value, actions):
    assert as_actions(value) == actions


FIELD_VALUES = st.none() | st.booleans() | st.text(max_size=3) | st.lists(st.integers())


@given(
    st.dictionaries(
        st.sampled_from(["status", "payload", "next_actions", "retryable", "other"]),
        FIELD_VALUES,
    )
)
def test_mapping_every_field_to_itself_changes_nothing(fields):
    names = [n for n in ObservationMapping.model_fields if n != "text"]
    assert read({name: name for name in names}, fields) == read_own_names(fields)
