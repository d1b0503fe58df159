"""What JSON cannot carry, found in values."""

from __future__ import annotations

import datetime
import decimal
import enum
import json
import time
import types

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_agentgate.contract.defects import (
    MAX_DEFECTS,
    MAX_DEPTH,
    MAX_NODES,
    find_defects,
)
from pytest_agentgate.contract.observation import Defect


class Colour(enum.Enum):
    RED = 1


class Word(enum.StrEnum):
    YES = "yes"


def nest(depth):
    value = []
    for _ in range(depth - 1):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "kind", "path"),
    [
        (float("nan"), "non-finite", ""),
        ({"a": [0, float("inf")]}, "non-finite", "/a/1"),
        ({"a": float("-inf")}, "non-finite", "/a"),
        ({"a": b"x"}, "bytes", "/a"),
        ({"a": bytearray(b"x")}, "bytes", "/a"),
        ({"a": memoryview(b"x")}, "bytes", "/a"),
        ({"a": datetime.datetime(2026, 1, 1)}, "date", "/a"),
        ({"a": datetime.date(2026, 1, 1)}, "date", "/a"),
        ({"a": datetime.time(1)}, "date", "/a"),
        ({"a": {1}}, "not-json", "/a"),
        ({"a": decimal.Decimal(1)}, "not-json", "/a"),
        ({"a": Colour.RED}, "not-json", "/a"),
        ({"a": object()}, "not-json", "/a"),
        ({"a": 1j}, "not-json", "/a"),
        ({"a": types.MappingProxyType({})}, "not-json", "/a"),
        ({"a": {1: 2}}, "not-json", "/a"),
        ({"a": {None: 2}}, "not-json", "/a"),
        ({"a": "x\ud800"}, "surrogate", "/a"),
        ({"a": {"\udfff": 1}}, "surrogate", "/a"),
        ({"a/b": {"c~d": float("nan")}}, "non-finite", "/a~1b/c~0d"),
        ({"a": 10**5000}, "too-large", "/a"),
        ({"a": -(10**5000)}, "too-large", "/a"),
        ((1, (float("nan"),)), "non-finite", "/1/0"),
    ],
)
def test_kinds_and_places(value, kind, path):
    assert [(d.kind, d.path) for d in find_defects(value)] == [(kind, path)]


@pytest.mark.parametrize(
    "value",
    [
        None,
        "é 漢字 😀",
        {"é": 1, "漢": [True, None, 0.5, -1]},
        (1, 2),
        Word.YES,
        10**4000,
        nest(MAX_DEPTH),
        {},
    ],
)
def test_what_json_carries(value):
    assert find_defects(value) == ()


def test_details_are_said():
    value = {"a": b"abc", "b": {2}, "c": float("nan")}
    assert [d.detail for d in find_defects(value)] == [
        "bytes of length 3",
        "a value of type set",
        "nan",
    ]


def test_depth_is_counted_in_containers():
    deep = find_defects(nest(MAX_DEPTH + 1))
    assert deep == (
        Defect("too-deep", "/0" * MAX_DEPTH, f"nesting deeper than {MAX_DEPTH}"),
    )


def test_a_cycle_ends():
    loop = []
    loop += [loop, loop]
    table = {}
    table["self"] = table
    assert {d.kind for d in find_defects(loop)} == {"too-deep"}
    assert {d.kind for d in find_defects(table)} == {"too-deep"}


def test_a_hundred_thousand_levels_end():
    assert [d.kind for d in find_defects(nest(100_000))] == ["too-deep"]


def test_the_walk_stops():
    assert find_defects([0] * (2 * MAX_NODES) + [float("nan")]) == ()
    early = find_defects([float("nan")] + [0] * (2 * MAX_NODES))
    assert [d.path for d in early] == ["/0"]


def test_a_wide_value_costs_bounded_time_and_memory():
    row = [0] * 90_000
    started = time.perf_counter()
    assert find_defects([row] * 90_000) == ()
    assert time.perf_counter() - started < 2


def test_the_number_of_defects_is_bounded():
    assert len(find_defects([float("nan")] * 10 * MAX_DEFECTS)) == MAX_DEFECTS


def test_a_path_can_be_printed():
    (defect,) = find_defects({"\ud800" + "k" * 5000: {"a": 1}})
    assert defect.kind == "surrogate"
    (inner,) = find_defects({"k" * 5000: b""})
    assert len(inner.path) < 300
    inner.path.encode()


JSONISH = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()))
    | st.binary(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSONISH)
def test_no_defect_means_that_json_carries_it(value):
    if not find_defects(value):
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
        text.encode()
        assert json.loads(text) == value
    else:
        with pytest.raises((TypeError, ValueError)):  # noqa: PT012 - either of two
            text = json.dumps(value, allow_nan=False, ensure_ascii=False)
            text.encode()
            assert json.loads(text) != value
            raise ValueError("silently rewritten")
