"""Family envelope: one structure, whatever the tool (SYS-003 §2).

A result that could not be read as an observation is ``envelope.parse``'s alone, a
tool that raised is ``envelope.raised``'s alone; the other rules say nothing then.
"""

from __future__ import annotations

from typing import Any

from ...contract.observation import Observation, ToolResult
from ...contract.tool import ToolContract
from ..context import Context
from ..finding import Finding, abstain, fail
from ..registry import Example, rule
from ..schemas import first_violation
from ..wire import delivers_nothing, rewritten, to_validate
from ..wording.presence import is_blank, says_something, texts_of
from ..wording.provenance import fault_of_source

GOOD = {
    "status": "success",
    "summary": "1 note matches.",
    "payload": [{"id": 7}],
    "source": "notes-api /notes?tag=air",
}
QUOTE = ToolContract(
    name="get_quote",
    output_schema={
        "type": "object",
        "properties": {"price": {"type": "number"}},
        "required": ["price"],
    },
)


def _readable(result: ToolResult) -> Observation | None:
    return None if result.raised is not None else result.observation


def _without(*names: str, **fields: Any) -> dict[str, Any]:
    return {k: v for k, v in {**GOOD, **fields}.items() if k not in names}


@rule(
    "envelope.parse",
    fails_when="the result is none of the accepted forms: mapping, JSON text, labelled "
    "text block, model object, protocol tool result",
    way_out="return a mapping with status, summary, payload and source, or describe "
    "your own names under 'observation:' in the policy",
    bad=Example("done"),
    good=Example(GOOD),
)
def parse(result: ToolResult, context: Context) -> Finding | None:
    """An agent, and every other rule, can only act on a structure that it can read."""
    if result.observation is not None or result.raised is not None:
        return None
    return fail(
        result.problem or "the result is in no accepted form",
        expected="a mapping, JSON text, a labelled text block, a model object or a "
        "protocol tool result",
        seen=result.text if result.text is not None else result.raw,
    )


@rule(
    "envelope.status",
    fails_when="status is not success, warning or error",
    way_out="say one of the three words; map your own under 'observation: status'",
    bad=Example(_without(status="ok")),
    good=Example(GOOD),
)
def status(result: ToolResult, context: Context) -> Finding | None:
    """The status decides what the agent does next; a fourth word is a guess."""
    observation = result.observation
    if observation is None or result.raised is not None:
        return None
    seen = observation.status
    if seen == "success" or seen == "error" or seen == "warning":
        return None
    return fail(
        "status is missing" if seen is None else "status is not one of the three words",
        expected="success, warning or error",
        seen=seen,
        path="/status",
    )


@rule(
    "envelope.summary",
    fails_when="summary is missing, blank, or more than one line",
    way_out="say in one line what happened; put the data into the payload",
    bad=Example(_without(summary="3 notes:\n- a\n- b")),
    good=Example(GOOD),
)
def summary(result: ToolResult, context: Context) -> Finding | None:
    """One line is what the agent, a log and a reviewer read first (SYS-003 §2)."""
    observation = result.observation
    if observation is None or result.raised is not None:
        return None
    text = observation.summary
    if isinstance(text, str) and text[:1].isalnum() and text.isprintable():
        return None
    problem = _fault_of_summary(text)
    if not problem:
        return None
    return fail(problem, expected="one line of text", seen=text, path="/summary")


def _fault_of_summary(text: Any) -> str:
    if text is None:
        return "summary is missing"
    if not isinstance(text, str):
        return f"summary is of type {type(text).__name__}"
    if is_blank(text):
        return "summary is blank"
    lines = len(text.strip().splitlines())
    return f"summary has {lines} lines" if lines > 1 else ""


@rule(
    "envelope.payload",
    fails_when="success without a payload; [], 0, false and '' are payloads",
    way_out="return the data, an empty list included, or say warning or error",
    bad=Example(_without("payload")),
    good=Example(_without(payload=[], summary="0 of 12 notes match tag 'air'.")),
)
def payload(result: ToolResult, context: Context) -> Finding | None:
    """Success without data makes the agent invent the data."""
    observation = result.observation
    if result.raised is not None:
        return None
    if observation is None:
        empty = delivers_nothing(result)
    elif observation.status != "success":
        return None
    else:
        empty = observation.payload is None or (
            observation.payload == "" and delivers_nothing(result)
        )
    if not empty:
        return None
    return fail(
        "success without a payload",
        expected="a payload; [], 0, false and '' are payloads, null is not",
        seen="absent or null",
        path="/payload",
    )


@rule(
    "envelope.source",
    fails_when="success without a source: blank, a placeholder, the tool's own name, "
    "or an echo of an argument",
    way_out="name where the payload comes from: a URL, a path, a table and row, an "
    "index and document",
    bad=Example(
        _without(source=[{"type": "rag", "query": "limits of cell B4"}]),
        {"arguments": {"query": "limits of cell B4"}},
    ),
    good=Example(
        _without(source={"table": "people", "row_id": 0}),
        {"arguments": {"query": "limits of cell B4"}},
    ),
)
def source(result: ToolResult, context: Context) -> Finding | None:
    """An answer can only be checked where it says what it stands on (SYS-003 §4)."""
    observation = _readable(result)
    if observation is None or observation.status != "success":
        return None
    fault = fault_of_source(observation.source, context.tool, context.arguments)
    if not fault:
        return None
    return fail(
        f"success without a source: {fault}",
        expected="where the payload comes from",
        seen=observation.source,
        path="/source",
    )


@rule(
    "envelope.next-actions",
    fails_when="warning or error without at least one non-blank next action",
    way_out="say what to do now: the remedy, and when to stop",
    bad=Example(
        {"status": "error", "summary": "Index missing.", "next_actions": [" "]}
    ),
    good=Example(
        {
            "status": "error",
            "summary": "Index missing.",
            "next_actions": ["Run index.py once; if it fails, tell the user."],
        }
    ),
)
def next_actions(result: ToolResult, context: Context) -> Finding | None:
    """Without a next action the agent repeats the call that has just failed."""
    observation = _readable(result)
    if observation is None or observation.status not in ("warning", "error"):
        return None
    if any(says_something(action) for action in observation.next_actions):
        return None
    return fail(
        f"{observation.status} without a next action",
        expected="at least one next action that is not blank",
        seen=list(observation.next_actions) if observation.next_actions else "none",
        path="/next_actions",
    )


@rule(
    "envelope.lean",
    severity="warning",
    fails_when="success spends more than one line on next actions",
    way_out="leave next_actions out on success, or say one line",
    bad=Example(_without(next_actions=["Open the note.", "Then read it."])),
    good=Example(_without(next_actions=["Open note 7 for its text."])),
)
def lean(result: ToolResult, context: Context) -> Finding | None:
    """Success needs no recovery; every line of it costs tokens on every call."""
    observation = _readable(result)
    if observation is None or not observation.next_actions:
        return None
    if observation.status != "success":
        return None
    actions = observation.next_actions
    texts = texts_of(list(actions))
    lines = sum(len(text.strip().splitlines()) for text in texts) or len(actions)
    if lines <= 1:
        return None
    return fail(
        f"success with {lines} lines of next actions",
        expected="at most one line",
        seen=list(actions),
        path="/next_actions",
    )


@rule(
    "envelope.json-safe",
    fails_when="values JSON cannot carry (NaN, bytes, dates, duplicate keys, lone "
    "surrogates), or ones silently rewritten on the way",
    way_out="turn them into JSON values in the tool, and say so in the summary",
    bad=Example(_without(payload={"mean": float("nan")})),
    good=Example(_without(payload={"mean": None}, summary="Mean of 0 values: none.")),
)
def json_safe(result: ToolResult, context: Context) -> list[Finding] | None:
    """Strict readers refuse the whole result, lenient ones change it (RFC 8259)."""
    if not result.defects and context.handler_return is None:
        return None
    if result.raised is not None:
        return None
    found = [
        fail(
            f"the result holds what JSON cannot carry: {defect.kind}",
            expected="JSON values only",
            seen=defect.detail,
            path=defect.path,
        )
        for defect in result.defects[:5]
    ]
    if context.handler_return is not None and result.observation is not None:
        found += [
            fail(
                "a value was silently rewritten between handler and wire",
                expected=f"a word about {kind} in the result, or an error",
                seen=f"{kind} became {wire}",
                path=path,
            )
            for path, kind, wire in rewritten(context.handler_return, result)
        ]
    return found or None


@rule(
    "envelope.output-schema",
    needs=("contract",),
    fails_when="a result that is no error violates the tool's declared output schema",
    way_out="return what the schema declares, or correct the schema",
    bad=Example(
        _without(payload={"price": "high"}),
        {"contract": QUOTE},
    ),
    good=Example(
        _without(payload={"price": 41.5}),
        {"contract": QUOTE},
    ),
)
def output_schema(result: ToolResult, context: Context) -> Finding | None:
    """Who reads the payload by its schema is broken by a payload that ignores it."""
    contract = context.contract
    if contract is None or contract.output_schema is None or result.raised is not None:
        return None
    candidates = to_validate(result)
    if candidates is None:
        return None
    if not candidates:
        return fail(
            "a declared output schema, and no structured content",
            expected="structuredContent that satisfies the output schema",
            seen="absent or null",
        )
    violations = [first_violation(contract.output_schema, one) for one in candidates]
    if None in violations:
        return None
    violation = violations[0]
    assert violation is not None
    if violation.unusable:
        return abstain(f"the output schema cannot be used: {violation.message}")
    return fail(
        "the result violates the tool's output schema",
        expected=violation.expected,
        seen=violation.message,
        path=violation.path,
    )


@rule(
    "envelope.raised",
    fails_when="the tool raised instead of returning an error",
    way_out="catch it in the tool and return status error with cause, remedy and stop",
    bad=Example(ToolResult(None, raised="ConnectionError: refused")),
    good=Example(GOOD),
)
def raised(result: ToolResult, context: Context) -> Finding | None:
    """What is raised ends the loop, or reaches the model without a way on."""
    if result.raised is None:
        return None
    return fail(
        "the tool raised; errors are returned, not raised",
        expected="an observation with status error",
        seen=result.raised,
    )


RULES = (
    parse,
    status,
    summary,
    payload,
    source,
    next_actions,
    lean,
    json_safe,
    output_schema,
    raised,
)
