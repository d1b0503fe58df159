"""A rule of somebody's own is told from a changed one by its source."""

from __future__ import annotations

from dataclasses import replace

from pytest_agentgate import rule
from pytest_agentgate.grading.registry import Rule, source_hash


@rule("house.one", fails_when="never")
def one(result, context):
    return None


@rule("house.two", fails_when="never")
def two(result, context):
    return ()


def test_sources_are_told_apart_and_built_in_rules_have_none():
    first, second = (replace(entry, origin="house:x") for entry in (one, two))
    assert len(source_hash(first)) == 16
    assert source_hash(first) == source_hash(replace(first, severity="warning"))
    assert source_hash(first) != source_hash(second)
    assert source_hash(one) == ""
    assert source_hash(Rule(id="a.b", fails_when="", origin="x")) == ""


def test_a_check_without_source_has_no_hash():
    assert source_hash(replace(one, check=len, origin="house:len")) == ""
