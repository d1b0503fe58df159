"""What the mark ``agentgate_faults`` asks for, and what it is refused for."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_agentgate.environment import Environment
from pytest_agentgate.errors import MarkerError
from pytest_agentgate.live.faults import FAULTS
from pytest_agentgate.plugin.fault_cases import SIGNATURE, Case, cases_of, read

POLICY = """
version: 1
tools: {contracts: contracts.yaml}
faults:
  endpoints: {label: {variable: LABEL_URL}, bare: {variable: BARE_URL}}
  bodies: {label: {label: sea}}
"""
CONTRACTS = """
version: 1
tools:
  label:
    output_schema: {properties: {label: {enum: [sea, air]}}}
    failure_modes:
      - {name: unreachable, provoked_by: {fault: refused}}
      - {name: bad_arguments, provoked_by: {arguments: {text: 1}}}
      - {name: defect}
  local:
    failure_modes:
      - {name: no_file, provoked_by: {environment: {FILE: '{tmp}/none'}}}
  silent: {}
  wrong:
    failure_modes:
      - {name: remote, provoked_by: {fault: hang}}
  typo:
    failure_modes:
      - {name: remote, provoked_by: {fault: refusd}}
"""


@pytest.fixture(scope="module")
def env(tmp_path_factory):
    folder = tmp_path_factory.mktemp("policy")
    (folder / "agentgate.yaml").write_text(POLICY)
    (folder / "contracts.yaml").write_text(CONTRACTS)
    return Environment.load(folder / "agentgate.yaml")


def cases(env, *args, **kwargs):
    mark = pytest.mark.agentgate_faults(*args, **kwargs).mark
    return cases_of(read(mark), env)


def ids(env, *args, **kwargs):
    return [case.id for case in cases(env, *args, **kwargs)]


def test_declared_modes_come_first_and_are_not_doubled(env):
    found = ids(env, "label", {"text": "x"})
    assert found[:2] == ["mode:unreachable", "mode:bad_arguments"]
    assert found[2:] == [name for name in FAULTS if name != "refused"]
    assert len(found) == len(set(found))


def test_a_case_knows_what_it_calls_with(env):
    unreachable, bad, hang, *_ = cases(env, "label", {"text": "x", "n": 2})
    body = {"label": "sea"}
    given = {"text": "x", "n": 2}
    assert unreachable == Case("label", given, "refused", "unreachable", body)
    assert bad == Case("label", {"text": 1, "n": 2}, "", "bad_arguments", body)
    assert hang == Case("label", given, "hang", "", body)


@pytest.mark.parametrize(
    ("kwargs", "found"),
    [
        ({"faults": ["hang", "drop"], "modes": False}, ["hang", "drop"]),
        ({"faults": "drop", "modes": ()}, ["drop"]),
        ({"faults": [], "modes": True}, ["mode:unreachable", "mode:bad_arguments"]),
        ({"faults": (), "modes": ["bad_arguments"]}, ["mode:bad_arguments"]),
        ({"faults": [], "skip": ["unreachable"]}, ["mode:bad_arguments"]),
        ({"faults": ["refused", "nan"], "modes": False, "skip": "nan"}, ["refused"]),
        ({"faults": ["refused"], "modes": ["unreachable"]}, ["mode:unreachable"]),
        ({"faults": ["out-of-enum"], "modes": False}, ["out-of-enum"]),
    ],
)
def test_choosing(env, kwargs, found):
    assert ids(env, "label", **kwargs) == found


def test_a_skipped_mode_leaves_its_fault_to_the_standard_ones(env):
    assert "refused" in ids(env, "label", skip=["unreachable"])


def test_without_an_endpoint_modes_alone_are_run(env):
    assert ids(env, "local") == ["mode:no_file"]


def test_a_tool_without_contract_meets_the_standard_faults(env):
    assert ids(env, "bare") == [name for name in FAULTS if name != "out-of-enum"]
    assert "out-of-enum" not in ids(env, "label", body={"label": "other"})


def test_the_signature_is_the_same_everywhere(pytestconfig):
    page = Path(__file__).resolve().parents[3] / "docs" / "reference" / "faults.md"
    assert SIGNATURE in page.read_text("utf-8")
    assert any(line.startswith(SIGNATURE) for line in pytestconfig.getini("markers"))


def test_the_page_names_every_fault():
    page = Path(__file__).resolve().parents[3] / "docs" / "reference" / "faults.md"
    text = page.read_text("utf-8")
    assert [name for name in FAULTS if f"`{name}`" not in text] == []


REFUSED = {
    "no tool": ((), {}, ["missing a required argument: 'tool'", "agentgate_faults("]),
    "tool by number": ((3,), {}, ["named by text, not by 3"]),
    "unknown tool": (("lable",), {}, ["no tool 'lable'", "did you mean 'label'?"]),
    "arguments as a list": (("label", ["x"]), {}, ["arguments are a mapping"]),
    "three positional": (("label", {}, ["hang"]), {}, ["too many positional"]),
    "unknown keyword": (
        ("label",),
        {"fault": ["hang"]},
        ["has no keyword 'fault'", "did you mean 'faults'?"],
    ),
    "unknown fault": (
        ("label",),
        {"faults": ["hangs"]},
        ["no fault 'hangs'", "did you mean 'hang'?"],
    ),
    "unknown mode": (
        ("label",),
        {"modes": ["unreachabel"]},
        ["label declares no failure mode 'unreachabel'", "did you mean 'unreachable'?"],
    ),
    "mode that nobody knows to provoke": (
        ("label",),
        {"modes": ["defect"]},
        ["'defect' of label does not say how to provoke it", "write a test of its own"],
    ),
    "unknown name to skip": (
        ("label",),
        {"skip": ["refusd"]},
        ["no fault or failure mode 'refusd'", "did you mean 'refused'?"],
    ),
    "fault without an endpoint": (
        ("local",),
        {"faults": ["hang"]},
        ["fault 'hang' needs an endpoint of local", "a variable, a file and pointer"],
    ),
    "mode without an endpoint": (
        ("wrong",),
        {},
        ["failure mode 'remote' needs an endpoint of wrong"],
    ),
    "mode with an unknown fault": (
        ("typo",),
        {},
        [
            "'remote' is provoked by no known fault",
            "'refusd'",
            "did you mean 'refused'?",
        ],
    ),
    "nothing to run": (("silent",), {}, ["no way to make silent fail", "provoked_by"]),
    "everything skipped": (
        ("local",),
        {"skip": ["no_file"]},
        ["no way to make local fail"],
    ),
    "enumeration that nobody knows": (
        ("bare",),
        {"faults": ["out-of-enum"]},
        ["'out-of-enum' cannot be made for bare", "no body"],
    ),
    "body that is no JSON": (("label",), {"body": {1, 2}}, ["not JSON serializable"]),
    "faults by number": (("label",), {"faults": [500]}, ["named by text"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(env, case):
    args, kwargs, messages = REFUSED[case]
    with pytest.raises(MarkerError) as caught:
        cases(env, *args, **kwargs)
    for message in messages:
        assert message in str(caught.value)
    assert "docs/reference/" in caught.value.docs
