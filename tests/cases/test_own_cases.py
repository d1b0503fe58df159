"""Own cases, in the format of the shared ones: what must fire, and good left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from case_file import read_cases
from run import judge

CASES = list(read_cases(Path(__file__).with_name("own.jsonl")))


def test_more_than_a_third_are_good():
    good = [case for case in CASES if case["kind"] == "good"]
    assert len(CASES) >= 70
    assert len(good) * 3 >= len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_own_case(case):
    said = judge(case)
    assert set(case["expected"]["must_fire"]) <= set(said["fired"])
    assert not set(case["expected"].get("must_not_fire", ())) & set(said["fired"])
    if case["kind"] == "good":
        assert said["verdict"] == "pass"
        # A terse contract earns warnings; whoever writes them all out writes an essay.
        assert said["fired"] == [] or case["theme"].startswith("contract:")
