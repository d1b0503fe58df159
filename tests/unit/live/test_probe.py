"""Probing plain functions: what each kind of tool is told, and what is left alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from pytest_agentgate.contract.catalogue import Definition
from pytest_agentgate.contract.mapping import DEFAULT_MAPPING
from pytest_agentgate.contract.settings import ProbeSettings
from pytest_agentgate.contract.tool import Polling, ToolContract
from pytest_agentgate.errors import AgentGateError, TargetError
from pytest_agentgate.grading.context import Context
from pytest_agentgate.grading.grader import Grader
from pytest_agentgate.grading.rules import built_in
from pytest_agentgate.grading.settings import RuleSettings
from pytest_agentgate.live.effects import State
from pytest_agentgate.live.parity import Side, parity
from pytest_agentgate.live.probe import (
    Bench,
    Chosen,
    Probed,
    listed_twice,
    probe,
    sample_of,
)

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "item": {"type": "string", "enum": ["bolt", "nut"]},
        "limit": {"type": "integer", "minimum": 1, "maximum": 9},
    },
    "required": ["item", "limit"],
    "additionalProperties": False,
}
READS = ToolContract(name="find", input_schema=SCHEMA, side_effect="read_only")
WRITES = ToolContract(
    name="add",
    input_schema={
        "type": "object",
        "properties": {
            "item": {"type": "string", "enum": ["bolt", "nut"]},
            "key": {"type": "string", "minLength": 1, "maxLength": 8},
        },
        "required": ["item", "key"],
        "additionalProperties": False,
    },
    side_effect="reversible_mutation",
    idempotency="key",
)
FEW = ProbeSettings(random=3, mutating=("add",))


def bench(contract: ToolContract = READS, **settings: Any) -> Bench:
    def context(tool: str, arguments: Mapping[str, Any]) -> Context:
        return Context(tool=tool, arguments=arguments, contract=contract)

    grader = Grader(built_in(), RuleSettings(**settings))
    return Bench(grader, DEFAULT_MAPPING, context)


def success(payload: Any) -> dict[str, Any]:
    return {
        "status": "success",
        "summary": "One row was read.",
        "payload": payload,
        "source": "stock table, row 7",
    }


def refusal(problem: str) -> dict[str, Any]:
    return {
        "status": "error",
        "summary": f"The call was refused because {problem} in the input schema.",
        "next_actions": ["Put it right and call once more; if it fails again, stop."],
    }


def problem(schema: dict[str, Any], arguments: Mapping[str, Any]) -> str:
    sent = sample_of(schema, arguments)
    return "" if sent.valid else f"argument {sent.about!r} breaks {sent.keyword!r}"


def careful(
    _name: str, arguments: Mapping[str, Any], schema: dict[str, Any] = SCHEMA
) -> dict[str, Any]:
    wrong = problem(schema, arguments)
    return refusal(wrong) if wrong else success([arguments["item"]])


def rules(probed: Probed) -> dict[str, str]:
    return {f.rule: f.message for f in probed.findings}


def run(
    call: Callable[..., Any], contract: ToolContract = READS, **more: Any
) -> Probed:
    settings = more.pop("settings", FEW)
    return probe(contract, call, bench(contract), settings, **more)


class TestReading:
    def test_a_careful_tool_is_told_nothing(self) -> None:
        made = run(careful)
        assert made.findings == ()
        assert made.notes == ()
        assert made.errors == ()
        assert made.calls > 10

    def test_arguments_are_a_copy_each_time(self) -> None:
        def greedy(name: str, arguments: dict[str, Any]) -> Any:
            made = careful(name, arguments)
            arguments.clear()
            return made

        assert run(greedy).findings == ()

    def test_asynchronous_dispatchers(self) -> None:
        async def call(name: str, arguments: dict[str, Any]) -> Any:
            return careful(name, arguments)

        assert run(call).findings == ()

    def test_what_breaks_the_schema_and_succeeds(self) -> None:
        made = run(lambda *_: success([1]))
        assert set(rules(made)) == {"contract.undeclared"}
        about = {finding.path: finding.seen for finding in made.findings}
        assert set(about) == {"/item", "/limit", "/agentgate_unknown"}
        assert "maximum: 10" in about["/limit"]
        assert "required: left out" in about["/limit"]

    def test_a_number_as_text_is_no_number(self) -> None:
        def converts(name: str, arguments: dict[str, Any]) -> Any:
            limit = arguments.get("limit")
            if isinstance(limit, str) and limit.isdecimal():
                arguments["limit"] = max(1, min(int(limit), 9))
            return careful(name, arguments)

        made = run(converts)
        assert [(f.rule, f.path) for f in made.findings] == [
            ("contract.undeclared", "/limit")
        ]

    def test_a_crash_at_a_bound(self) -> None:
        def call(name: str, arguments: dict[str, Any]) -> Any:
            if arguments.get("limit") == 9:
                raise IndexError("list index out of range")
            return careful(name, arguments)

        made = run(call)
        [finding] = made.findings
        assert finding.rule == "envelope.raised"
        assert "IndexError" in finding.seen
        [found] = made.found
        assert found.arguments is not None
        assert found.arguments["limit"] == 9

    def test_the_replay_line_finds_it_again(self) -> None:
        def call(name: str, arguments: dict[str, Any]) -> Any:
            if arguments.get("limit") == 9:
                raise IndexError("list index out of range")
            return careful(name, arguments)

        way_out = run(call).findings[0].way_out
        line = way_out.partition("replay: ")[2].split()
        assert " ".join(line[:6]) == "pytest-agentgate probe --tool find --seed 0"
        assert line[6] == "--case"
        again = run(call, chosen=Chosen(case=int(line[7])))
        assert again.calls == 1
        assert again.findings[0].rule == "envelope.raised"
        other = run(call, chosen=Chosen(arguments={"item": "nut", "limit": 9}))
        assert other.findings[0].rule == "envelope.raised"
        assert "--arguments" in other.findings[0].way_out

    def test_a_crash_that_a_server_words_as_an_answer(self) -> None:
        def call(name: str, arguments: dict[str, Any]) -> Any:
            if arguments.get("limit") == 9:
                text = "Error executing tool find"
                return {"content": [{"type": "text", "text": text}], "isError": True}
            return careful(name, arguments)

        assert [f.rule for f in run(call).findings] == ["envelope.raised"]

    def test_a_crash_on_bad_arguments_is_an_internal_error(self) -> None:
        def call(name: str, arguments: dict[str, Any]) -> Any:
            made = careful(name, arguments)
            text = "Error executing tool find"
            is_wrong = made["status"] == "error"
            content = [{"type": "text", "text": text}]
            return {"content": content, "isError": True} if is_wrong else made

        made = run(call, settings=ProbeSettings(random=0))
        messages = {f.message for f in made.findings if f.rule == "recovery.root-cause"}
        assert "bad arguments are called an internal error: argument 'item'" in messages
        assert "envelope.raised" not in rules(made)

    def test_equal_calls_with_different_answers(self) -> None:
        ticks = iter(range(10_000))

        def call(name: str, arguments: dict[str, Any]) -> Any:
            made = careful(name, arguments)
            return made | {"payload": {"n": 1, "at": next(ticks)}}

        [finding] = run(call).findings
        assert (finding.rule, finding.path) == ("contract.deterministic", "/payload/at")
        assert finding.severity == "warning"
        volatile = READS.model_copy(update={"volatile": ("/payload/at",)})
        assert run(call, volatile).findings == ()

    def test_polling_is_meant_to_change(self) -> None:
        ticks = iter(range(10_000))

        def call(name: str, arguments: dict[str, Any]) -> Any:
            return careful(name, arguments) | {"payload": next(ticks)}

        polled = READS.model_copy(update={"polling": Polling(max_polls=5)})
        found = {finding.rule for finding in run(call, polled).findings}
        assert "contract.deterministic" not in found
        assert "contract.deterministic" in rules(run(call))

    def test_a_call_that_is_given_is_kept(self) -> None:
        sent: list[Any] = []

        def call(name: str, arguments: dict[str, Any]) -> Any:
            sent.append(arguments)
            return careful(name, arguments)

        given = {"find": {"item": "nut", "limit": 7}}
        run(call, settings=ProbeSettings(random=0, calls=given))
        kept = [arguments for arguments in sent if arguments.get("item") == "nut"]
        assert sum(arguments.get("limit") == 7 for arguments in kept) >= 3
        assert sum(arguments.get("limit") not in (7, None) for arguments in kept) >= 3

    def test_the_same_for_the_same_seed(self) -> None:
        def sent(seed: int) -> list[Any]:
            held: list[Any] = []

            def call(name: str, arguments: dict[str, Any]) -> Any:
                held.append(dict(arguments))
                return careful(name, arguments)

            run(call, settings=ProbeSettings(random=20, seed=seed))
            return held

        assert sent(1) == sent(1)
        assert sent(1) != sent(2)

    def test_ignored_rules_are_left_out(self) -> None:
        made = probe(
            READS,
            lambda *_: success([1]),
            bench(tools={"find": {"ignore": ["contract.undeclared"]}}),
            FEW,
        )
        assert made.findings == ()


class TestRefusals:
    """Whether a refusal is about the argument under test."""

    vague = "The call was refused because something in it is not right."
    rule = "recovery.root-cause"

    def told(self, answer: Callable[[Mapping[str, Any]], Any]) -> Probed:
        return run(lambda _, arguments: answer(arguments))

    def test_vague_words_are_told_once_an_argument(self) -> None:
        def answer(arguments: Mapping[str, Any]) -> Any:
            wrong = problem(SCHEMA, arguments)
            told = {**refusal(""), "summary": self.vague}
            return told if wrong else success([1])

        found = [f.message for f in self.told(answer).findings if f.rule == self.rule]
        start = "the error does not name the argument that is wrong: "
        assert set(found) == {
            f"{start}'item'",
            f"{start}'limit'",
            f"{start}'agentgate_unknown'",
        }

    def test_where_nothing_succeeds_it_may_be_about_another(self) -> None:
        ticks = iter(range(10_000))

        def answer(_: Mapping[str, Any]) -> Any:
            return {**refusal(""), "summary": f"{self.vague} This was {next(ticks)}."}

        assert self.rule not in rules(self.told(answer))

    def test_the_words_of_an_allowed_call_are_about_another(self) -> None:
        def answer(arguments: Mapping[str, Any]) -> Any:
            fits = arguments == {"item": "bolt", "limit": 1}
            return success([1]) if fits else {**refusal(""), "summary": self.vague}

        assert self.rule not in rules(self.told(answer))

    def test_a_cause_that_is_missing_is_told_by_the_rule_alone(self) -> None:
        def answer(arguments: Mapping[str, Any]) -> Any:
            wrong = problem(SCHEMA, arguments)
            return {**refusal(""), "summary": "Error."} if wrong else success([1])

        found = [f.message for f in self.told(answer).findings if f.rule == self.rule]
        assert len(found) == 1
        assert "does not name" not in found[0]


class TestNarrowing:
    def test_to_rules(self) -> None:
        narrowed = replace(bench(), only=frozenset({"envelope.source"}))
        made = probe(READS, lambda *_: success([1]), narrowed, FEW)
        assert made.findings == ()
        assert made.calls > 10

    def test_every_result_is_counted(self) -> None:
        counted: list[str] = []
        told = replace(bench(), counted=lambda tool, *_: counted.append(tool))
        made = probe(READS, careful, told, FEW)
        assert counted == ["find"] * made.calls


class TestLimits:
    def test_calls_that_hang(self) -> None:
        slow = READS.model_copy(update={"timeout_seconds": 0.05})
        made = run(lambda *_: time.sleep(0.3), slow)
        assert made.calls == 3
        assert made.notes[0] == "stopped after 3 calls: 3 ran out of time"
        assert made.findings[0].rule == "envelope.raised"

    def test_what_is_stuck_is_let_go(self) -> None:
        class Stuck:
            closed = 0

            def __call__(self, name: str, arguments: dict[str, Any]) -> Any:
                time.sleep(0.3)

            def close(self) -> None:
                self.closed += 1

        stuck = Stuck()
        run(stuck, READS.model_copy(update={"timeout_seconds": 0.05}))
        assert stuck.closed == 3

    def test_the_time_of_a_tool(self) -> None:
        def call(name: str, arguments: dict[str, Any]) -> Any:
            time.sleep(0.02)
            return careful(name, arguments)

        made = run(call, settings=ProbeSettings(seconds=0.05))
        assert made.notes == (
            f"stopped after {made.calls} calls: its 0.05 s were over",
        )

    def test_no_call_with_that_number(self) -> None:
        with pytest.raises(AgentGateError, match="find has no call number 9999"):
            run(careful, chosen=Chosen(case=9_999), settings=ProbeSettings(random=0))

    def test_no_call_succeeded(self) -> None:
        made = run(lambda *_: refusal("item and limit: there is no such row"))
        assert made.notes == (
            "no call succeeded: give one that does under probe.calls",
        )


class TestWhatIsNotProbed:
    @pytest.mark.parametrize(
        ("changed", "settings", "reason"),
        [
            ({"side_effect": None}, FEW, "no side-effect class"),
            ({}, ProbeSettings(), "'probe: {mutating: [...]}' allows it"),
            ({}, FEW, "declares no reset"),
            ({}, ProbeSettings(mutating="all"), "declares no reset"),
        ],
    )
    def test_is_said(
        self, changed: dict[str, Any], settings: ProbeSettings, reason: str
    ) -> None:
        def never(*_: Any) -> Any:
            raise AssertionError

        contract = WRITES.model_copy(update=changed)
        made = run(never, contract, settings=settings)
        assert made.calls == 0
        assert made.findings == ()
        assert made.notes[0].startswith("not probed: ")
        assert reason in made.notes[0]


class Store:
    """A tool that writes, with the fault that a test asks for."""

    def __init__(self, fault: str = "") -> None:
        self.rows: list[str] = []
        self.keys: dict[str, str] = {}
        self.fault = fault

    def reset(self) -> None:
        self.rows.clear()
        self.keys.clear()

    def look(self) -> Any:
        return list(self.rows)

    @property
    def state(self) -> State:
        return State("rows", self.look, self.reset)

    def __call__(self, name: str, arguments: dict[str, Any]) -> Any:
        schema = WRITES.input_schema
        if wrong := problem(schema, arguments):
            return refusal(wrong)
        key = "" if self.fault == "forgets" else arguments["key"]
        if not key or key not in self.keys:
            self.rows.append(arguments["item"])
            self.keys[key] = arguments["item"]
        return success({"added": arguments["item"]})


class Connected(Store):
    """A server that keeps the keys in memory and the rows on a disk."""

    def close(self) -> None:
        self.keys.clear()


class TestEffects:
    def test_a_tool_that_reads_and_writes(self) -> None:
        rows: list[int] = []

        def call(name: str, arguments: dict[str, Any]) -> Any:
            rows.append(1)
            return careful(name, arguments)

        made = run(call, state=State("rows", lambda: list(rows)))
        [finding] = made.findings
        assert finding.rule == "contract.side-effect-agrees"
        assert finding.seen.startswith("/0: absent became 1")
        assert made.found[0].times > 10

    def test_each_write_is_told_once(self) -> None:
        rows: list[int] = []

        def call(name: str, arguments: dict[str, Any]) -> Any:
            if not rows:
                rows.append(1)
            return careful(name, arguments)

        [found] = run(call, state=State("rows", lambda: list(rows))).found
        assert found.times == 1

    def test_a_tool_that_reads(self) -> None:
        made = run(careful, state=State("rows", list))
        assert made.findings == ()

    def test_a_write_with_a_sound_key(self) -> None:
        store = Store()
        made = run(store, WRITES, state=store.state)
        assert made.findings == ()
        assert made.notes == ()
        assert store.rows == []

    def test_each_call_of_a_write_finds_the_first_state(self) -> None:
        store = Store()
        rows: list[int] = []

        def call(name: str, arguments: dict[str, Any]) -> Any:
            rows.append(len(store.rows))
            return store(name, arguments)

        run(call, WRITES, state=store.state)
        assert rows[:-2] == [0] * (len(rows) - 2)

    def test_a_write_that_forgets_its_key(self) -> None:
        store = Store("forgets")
        [finding] = run(store, WRITES, state=store.state).findings
        assert finding.rule == "contract.idempotency-sound"
        assert finding.message == (
            "the same call acts twice when it is repeated, as after a lost reply"
        )
        assert finding.seen == "/1: absent became 'bolt'"

    def test_a_key_that_a_new_connection_forgets(self) -> None:
        store = Connected()
        [finding] = run(store, WRITES, state=store.state).findings
        assert finding.rule == "contract.idempotency-sound"
        assert "the connection is made anew" in finding.message

    def test_a_write_that_nobody_sees(self) -> None:
        store = Store()
        made = run(store, WRITES, state=State("nothing", list, store.reset))
        [finding] = made.findings
        assert (finding.rule, finding.verdict) == (
            "contract.idempotency-sound",
            "abstain",
        )
        assert finding.message == (
            "idempotency is not proven: a successful call changed nothing that nothing "
            "shows"
        )

    def test_a_key_that_no_call_carries(self) -> None:
        store = Store()
        other = WRITES.model_copy(update={"idempotency": "token"})
        [finding] = run(store, other, state=store.state).findings
        assert finding.verdict == "abstain"
        assert "no call with the key succeeded" in finding.message

    def test_a_reset_that_leaves_rows(self) -> None:
        store = Store()
        state = State("rows", store.look, lambda: None)
        with pytest.raises(TargetError, match="does not undo a call"):
            run(store, WRITES, state=state)


class TestParity:
    def sides(self, there: Callable[..., Any], **changed: Any) -> Probed:
        entry = Definition("find", "Call this to find a row.", SCHEMA)
        other = Definition("find", **{**vars_of(entry), **changed})
        return parity(
            READS,
            Side("dispatcher", careful, entry),
            Side("server", there, other),
            bench(),
            FEW,
        )

    def test_the_same(self) -> None:
        made = self.sides(careful)
        assert made.findings == ()
        assert made.calls > 10

    def test_another_payload(self) -> None:
        def there(name: str, arguments: dict[str, Any]) -> Any:
            made = careful(name, arguments)
            return made | {"payload": {}} if "payload" in made else made

        [finding] = self.sides(there).findings
        assert finding.rule == "contract.fidelity"
        assert finding.message.startswith("two transports of the tool differ: call ")
        assert finding.path == "/payload"
        assert finding.expected == "the same from dispatcher and server"

    def test_a_wrapped_result_is_the_same_observation(self) -> None:
        def there(name: str, arguments: dict[str, Any]) -> Any:
            made = careful(name, arguments)
            return {
                "content": [{"type": "text", "text": "see beside"}],
                "structuredContent": made,
                "isError": made["status"] == "error",
            }

        assert self.sides(there).findings == ()

    def test_another_description(self) -> None:
        [finding] = self.sides(careful, description="Finds.").findings
        assert finding.message == "two transports of the tool differ: description"

    def test_another_description_of_a_parameter(self) -> None:
        limit = {**SCHEMA["properties"]["limit"], "description": "How many."}
        other = {**SCHEMA, "properties": {**SCHEMA["properties"], "limit": limit}}
        [finding] = self.sides(careful, input_schema=other).findings
        assert finding.message.endswith("differ: description of a parameter")
        assert finding.seen == "/limit: absent became 'How many.'"

    def test_another_schema(self) -> None:
        weaker = {**SCHEMA, "properties": {**SCHEMA["properties"], "limit": {}}}
        messages = {
            f.message for f in self.sides(careful, input_schema=weaker).findings
        }
        assert messages == {"two transports of the tool differ: input schema"}

    def test_what_only_looks_different_says_nothing(self) -> None:
        def defined(pattern: str) -> Definition:
            text = {"type": "string", "pattern": pattern}
            schema = {"type": "object", "properties": {"a": text}}
            return Definition("find", input_schema=schema)

        sides = (
            Side(pattern, careful, defined(pattern)) for pattern in ("^a+$", "^aa*$")
        )
        assert parity(READS, *sides, bench(), FEW).findings == ()

    def test_a_tool_that_differs_from_itself_says_nothing(self) -> None:
        ticks = iter(range(10_000))

        def ticking(name: str, arguments: dict[str, Any]) -> Any:
            return careful(name, arguments) | {"payload": next(ticks)}

        side = partial(Side, definition=None)
        made = parity(READS, side("a", ticking), side("b", ticking), bench(), FEW)
        assert made.findings == ()


def vars_of(entry: Definition) -> dict[str, Any]:
    return {"description": entry.description, "input_schema": entry.input_schema}


class TestListings:
    def test_the_same(self) -> None:
        listing = (Definition("a"), Definition("b"))
        assert list(listed_twice(listing, lambda: listing, bench())) == []

    @pytest.mark.parametrize(
        ("second", "tool", "seen"),
        [
            (
                (Definition("a", "x"), Definition("b")),
                "a",
                "/description: '' became 'x'",
            ),
            ((Definition("b"), Definition("a")), "", "a, b became b, a"),
        ],
    )
    def test_another(
        self, second: tuple[Definition, ...], tool: str, seen: str
    ) -> None:
        first = (Definition("a"), Definition("b"))
        [made] = listed_twice(first, lambda: second, bench())
        [finding] = made.findings
        assert (finding.rule, finding.tool) == ("contract.deterministic", tool)
        assert finding.seen == seen

    def test_none(self) -> None:
        def stuck() -> tuple[Definition, ...]:
            raise TargetError("the server does not list its tools", seen="no answer")

        [made] = listed_twice((Definition("a"),), stuck, bench())
        assert made.findings[0].seen == "a listing became none: no answer"
