"""JSON text to values: size, depth, repeated keys, long integers."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_agentgate.contract.defects import MAX_DEPTH
from pytest_agentgate.contract.jsontext import MAX_CHARS, decode, is_deep


def SHORT(value):
    return ascii(value)[:30]


def kinds(text):
    return [(d.kind, d.path) for d in decode(text).defects]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1, "a": 2}', [("duplicate-key", "")]),
        ('{"x": [{"a": 1, "a": 2}]}', [("duplicate-key", "/x/0")]),
        ('{"a": {"b": 1, "b": 2}, "a": 3}', [("duplicate-key", "")]),
        ('{"a": NaN}', [("non-finite", "/a")]),
        ('{"a": -Infinity}', [("non-finite", "/a")]),
        ('{"a": [1e999]}', [("non-finite", "/a/0")]),
        (r'{"a": "\ud800"}', [("surrogate", "/a")]),
        ('{"a": "\udc00"}', [("surrogate", "/a")]),
        (r'{"a": "\ud83d\ude00"}', []),
        ('{"a": ' + "9" * 5000 + "}", [("too-large", "/a")]),
        ('{"a": -' + "9" * 5000 + "}", [("too-large", "/a")]),
        ('{"a": 1}', []),
    ],
    ids=SHORT,
)
def test_defects(text, expected):
    assert kinds(text) == expected


def test_a_byte_order_mark_is_no_problem():
    assert decode('\ufeff{"a": 1}').value == {"a": 1}


def test_repeated_keys_are_named_and_the_last_wins():
    decoded = decode('{"a": 1, "b": 0, "a": 2, "b": 3}')
    assert decoded.value == {"a": 2, "b": 3}
    assert [d.detail for d in decoded.defects] == [
        "key 'a' is repeated",
        "key 'b' is repeated",
    ]


def test_a_long_integer_keeps_its_digits():
    assert decode("[" + "9" * 5000 + ", 7]").value == ["9" * 5000, 7]


@pytest.mark.parametrize("text", ["", "{", "{'a': 1}", '{"a": 1} x', "]" * 300])
def test_bad_json_is_a_problem(text):
    decoded = decode(text)
    assert decoded.problem.startswith("the text is not valid JSON: ")
    assert (decoded.value, decoded.defects) == (None, ())


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' * 100_000, "[" * 201],
    ids=SHORT,
)
def test_depth_is_refused_before_decoding(text):
    started = time.perf_counter()
    decoded = decode(text)
    assert time.perf_counter() - started < 1
    assert [d.kind for d in decoded.defects] == ["too-deep"]
    assert decoded.problem == (
        "the JSON text is nested too deep to decode: nesting deeper than 200"
    )


def test_the_deepest_text_that_is_decoded():
    text = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert decode(text).problem == ""
    assert decode("[" + text + "]").problem.startswith("the JSON text is nested")


def test_brackets_in_strings_are_no_depth():
    assert not is_deep(json.dumps({"a": "[{" * 500 + '"' + "[" * 500}))


def test_size_is_refused_before_decoding():
    started = time.perf_counter()
    decoded = decode('{"a": "' + "x" * 50_000_000 + '"}')
    assert time.perf_counter() - started < 1
    assert [d.kind for d in decoded.defects] == ["too-large"]
    assert "over 10000000" in decoded.problem


@pytest.mark.parametrize(
    "text",
    [
        "{" * 300 + '\\"' * 400_000,
        "{" * 300 + '"' + '\\"' * 400_000,
        '{"' * 200_000,
        '["' + "a" * 400_000 + "[" * 300,
        '[[[["a",' * 60_000,
    ],
    ids=SHORT,
)
def test_hostile_text_costs_one_pass(text):
    assert len(text) < MAX_CHARS
    started = time.perf_counter()
    decode(text)
    assert time.perf_counter() - started < 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_agrees_with_the_standard_library(value):
    text = json.dumps(value)
    assert decode(text).value == json.loads(text)


def depth_of(value):
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        return 0
    return 1 + max(map(depth_of, value), default=0)


@given(JSON, st.integers(MAX_DEPTH - 6, MAX_DEPTH + 2))
def test_depth_is_exact(value, around):
    text = "[" * around + json.dumps(value) + "]" * around
    assert is_deep(text) == (depth_of(value) + around > MAX_DEPTH)


@given(st.text('[]{}":,\\ 1aN-.e', max_size=60))
def test_never_raises(text):
    decoded = decode(text)
    try:
        expected = json.loads(text)
    except ValueError:
        assert decoded.problem
    else:
        assert decoded.value == expected or decoded.defects
