"""Effects, keys, time, failure modes and secrets of a contract, judged."""

from __future__ import annotations

import pytest

from pytest_agentgate.contract.tool import ToolContract
from pytest_agentgate.grading.context import Context
from pytest_agentgate.grading.grader import Grader
from pytest_agentgate.grading.registry import Registry
from pytest_agentgate.grading.rules.contract import promises

WRITES = ("reversible_mutation", "irreversible_mutation")


def judge(rule, **fields):
    contract = ToolContract.model_validate({"name": "t", **fields})
    grades = Grader(Registry([rule])).grade(contract, Context(), kind="contract")
    assert not grades.errors
    return [(one.message, one.seen) for one in grades.findings]


def schema_of(**properties):
    return {"type": "object", "properties": properties}


def test_a_class():
    assert judge(promises.side_effect, side_effect="read_only") == []
    ((message, _),) = judge(promises.side_effect)
    assert message == "no side-effect class, and no hint of one"


READ, CHANGE, DESTROY = "read_only", *WRITES


@pytest.mark.parametrize(
    ("declared", "hints", "agrees"),
    [
        (READ, {}, True),
        (READ, {"readOnlyHint": True}, True),
        (READ, {"readOnlyHint": True, "destructiveHint": True}, True),
        (READ, {"destructiveHint": False}, True),
        (READ, {"readOnlyHint": False, "destructiveHint": True}, False),
        (READ, {"readOnlyHint": False}, False),
        (READ, {"destructiveHint": True}, False),
        (CHANGE, {"readOnlyHint": False, "destructiveHint": False}, True),
        (CHANGE, {"destructiveHint": True}, False),
        (CHANGE, {"readOnlyHint": True}, False),
        (DESTROY, {"readOnlyHint": False, "destructiveHint": True}, True),
        (DESTROY, {"readOnlyHint": False}, True),
        (DESTROY, {"destructiveHint": False}, False),
        (DESTROY, {"readOnlyHint": True}, False),
        (None, {"readOnlyHint": True}, True),
    ],
)
def test_class_and_hints(declared, hints, agrees):
    found = judge(promises.side_effect_agrees, side_effect=declared, hints=hints)
    assert (found == []) is agrees


@pytest.mark.parametrize(
    ("declared", "key", "hint", "agrees"),
    [
        (CHANGE, "natural", False, False),
        (CHANGE, "natural", True, True),
        (CHANGE, "request_id", False, True),
        (CHANGE, None, False, True),
        (READ, "natural", False, True),  # MCP: the hint means nothing of a read
    ],
)
def test_idempotency_and_its_hint(declared, key, hint, agrees):
    given = {"side_effect": declared, "idempotency": key}
    hints = {"idempotentHint": hint}
    found = judge(promises.side_effect_agrees, **given, hints=hints)
    assert (found == []) is agrees


def test_a_key_of_a_root_that_is_put_together():
    key = schema_of(request_id={"type": "string", "description": "New for every call."})
    schema = {"$ref": "#/$defs/A", "$defs": {"A": key}}
    given = {"side_effect": CHANGE, "input_schema": schema}
    assert judge(promises.idempotency, **given, idempotency="request_id") == []
    assert judge(promises.idempotency, **given, idempotency="key")
    assert judge(promises.idempotency_sound, **given, idempotency="request_id")


def test_idempotency():
    def of(**fields):
        return judge(promises.idempotency, side_effect=CHANGE, **fields)

    key = schema_of(request_id={"type": "string"})
    assert of(idempotency="natural") == []
    assert of(idempotency="request_id", input_schema=key) == []
    assert of(hints={"idempotentHint": True}) == []
    assert judge(promises.idempotency, side_effect=READ) == []
    ((message, _),) = of()
    assert message == "a mutating tool without an idempotency key or statement"
    ((message, seen),) = of(idempotency="key", input_schema=key)
    assert message == "the idempotency key 'key' is no argument of the tool"
    assert seen == "['request_id']"


@pytest.mark.parametrize(
    "said",
    [
        "Any string; must be different for every create_payment call.",
        "A new random UUID on each call.",
        "Generate a fresh id for every attempt.",
        "Must be unique per try. Never reuse a key.",
        "Each call needs a different value.",
        "The current timestamp in milliseconds.",
        "Use a new key with every request.",
        "Unique for each retry.",
        "Unix time in ms at call time.",
        "Set to now() in milliseconds.",
        "Never reuse a key for another call.",
    ],
)
def test_a_key_that_is_defeated(said):
    schema = schema_of(key={"type": "string", "description": said})
    ((message, seen),) = judge(
        promises.idempotency_sound, idempotency="key", input_schema=schema
    )
    assert message == "the key 'key' is described as new in every call"
    assert seen == said


@pytest.mark.parametrize(
    "said",
    [
        "",
        "One for each payment; the same again on a retry.",
        "A unique key for each request; reuse it when you retry.",
        "Unique per order.",
        "Identifies the payment. Repeat calls with this key act once.",
        "Unique key for each request.",
        "Never reuse a key for another payment.",
        "Do not reuse a key for a different order.",
        "A new key for each payment, the same key for each retry of it.",
    ],
)
def test_a_key_that_holds(said):
    schema = schema_of(key={"type": "string", "description": said})
    given = {"idempotency": "key", "input_schema": schema}
    assert judge(promises.idempotency_sound, **given) == []


def test_approval():
    assert judge(promises.approval, side_effect=DESTROY, approval="human") == []
    assert judge(promises.approval, side_effect=CHANGE) == []
    for approval in ("none", None):
        assert judge(promises.approval, side_effect=DESTROY, approval=approval)


def test_time():
    assert judge(promises.timeout, timeout_seconds=1) == []
    assert judge(promises.timeout)[0][0] == "no timeout"
    given = {"timeout_seconds": 1, "network": True}
    ((message, _),) = judge(promises.timeout, **given)
    assert message == "a tool that crosses the network has no retry policy"
    assert judge(promises.timeout, **given, retry={"attempts": 1}) == []


def test_permissions_and_failure_modes():
    assert judge(promises.permissions, side_effect=READ) == []
    assert judge(promises.permissions, side_effect=CHANGE)
    assert judge(promises.permissions, side_effect=CHANGE, permissions=["w"]) == []
    assert judge(promises.failure_modes, side_effect=READ) == []
    ((message, _),) = judge(promises.failure_modes, network=True)
    assert message == "a tool that crosses the network declares no way to fail"
    ((message, _),) = judge(promises.failure_modes, side_effect=CHANGE)
    assert message == "a tool that mutates declares no way to fail"
    modes = [{"name": "down"}]
    assert judge(promises.failure_modes, network=True, failure_modes=modes) == []


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("password", {"type": "string"}),
        ("apiKey", {"type": "string"}),
        ("connection_string", {"type": "string"}),
        ("value", {"type": "string", "format": "password"}),
        ("credentials", {"type": "object", "properties": {"user": {}}}),
    ],
)
def test_a_secret_needs_an_entry(name, schema):
    given = schema_of(**{name: schema})
    ((message, seen),) = judge(promises.redaction, input_schema=given, redaction=[])
    assert message == "a secret by its name without a redaction entry"
    assert seen == f"argument /properties/{name}"
    assert judge(promises.redaction, input_schema=given, redaction=[name]) == []


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("max_tokens", {"type": "integer"}),
        ("page_token", {"type": "string"}),
        ("request_id", {"type": "string"}),
        ("has_password", {"type": "boolean"}),
        ("token", {"enum": ["access", "refresh"]}),
    ],
)
def test_what_is_no_secret(name, schema):
    assert judge(promises.redaction, input_schema=schema_of(**{name: schema})) == []


def test_secrets_of_either_side_and_below():
    output = schema_of(session=schema_of(token={"type": "string"}))
    ((_, seen),) = judge(promises.redaction, output_schema=output)
    assert seen == "result field /properties/session/properties/token"
    given = {"output_schema": output}
    assert judge(promises.redaction, **given, redaction={"inputs": ["token"]})
    assert judge(promises.redaction, **given, redaction={"outputs": ["session"]}) == []
    spelt = schema_of(apiKey={"type": "string"})
    assert judge(promises.redaction, input_schema=spelt, redaction=["api_key"]) == []
