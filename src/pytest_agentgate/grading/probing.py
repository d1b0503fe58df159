"""What the answer to one made-up call says of the tool.

A probe sends calls that the input schema allows and calls that it forbids. Judged
here, without any I/O, is what came back: whether a forbidden call was let through,
whether an allowed one was refused for its form, whether a refusal says what was
wrong, and whether two answers that should be equal are. Where an answer can be read
in more than one way nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from ..contract.observation import Observation, ToolResult
from ..contract.schema.samples import Sample
from .context import Context
from .failure_path import all_texts, error_texts
from .finding import Finding, abstain, evidence, fail
from .lazy import lazy
from .signs.refusal import own_failure
from .wording.presence import texts_of

Outcome = Literal["accepted", "refused", "raised", "unclear"]

_CRASH = lazy(r"\s*Error executing tool [\w.-]{1,128}\s*\Z")
_INTERNAL = lazy(
    r"\binternal (?:server )?error|\bunexpected (?:internal )?error|\bunhandled\b"
    r"|something went wrong|-32603|\bError executing tool [\w.-]{1,128}\s*\Z"
    r"|interner fehler|error interno|erreur interne|errore interno|erro interno"
    r"|внутренняя ошибка|内部エラー|内部错误",
    re.IGNORECASE,
)
_DEMAND = lazy(
    r"\bmust (?:not )?(?:be|match|have|contain|start|end|look|consist|follow|use)\b"
    r"|\bshould (?:be|match|have|contain|look)\b|\brequired\b|\brequires\b|\bmissing\b"
    r"|\bexpect(?:s|ed)\b|\bdo(?:es)?(?: not|n't) match\b|\binvalid format\b"
    r"|\bnot a valid (?:date|time|iso|integer|number|e-?mail|uri|url|uuid|json)\b"
    r"|\bat (?:least|most)\b|\btoo (?:long|short|large|small|big|many|few|high|low)\b"
    r"|\bout of range\b|\b(?:greater|less|more|fewer|longer|shorter) than\b"
    r"|\b(?:cannot|can't|may not) be (?:empty|blank|negative|zero|null|none)\b"
    r"|\bvalidation error|\bYYYY\b",
    re.IGNORECASE,
)
_LOOKED_UP = lazy(
    r"\bnot found\b|\bno such\b|\bdo(?:es)?(?: not|n't) exist|\bunknown\b"
    r"|\bthere (?:is|are) no\b|\b(?:cannot|could not|couldn't|can't) find\b|\bone of\b"
    r"|\bno \w+ (?:named|called|matches|with|has)\b|\bnot (?:indexed|configured)\b"
    r"|\bunavailable\b|\bunreachable\b|\brefused\b|\btimed? ?out\b|\bdenied\b"
    r"|\bunauthori|\bforbidden\b|\brate limit|\bexists already\b|\balready exists\b",
    re.IGNORECASE,
)
_FIELDS = ("status", "summary", "payload", "source", "next_actions")
_ABSENT = object()


def crash_text(result: ToolResult) -> str:
    """Return what a server says in place of an exception of its tool, else ``""``.

    The Python SDK of MCP hides what was not meant for the model: only the tool's name
    is left. A text with more to it was written for the model, and is judged as such.
    """
    if result.protocol_error is not True or result.text is None:
        return ""
    return result.text.strip() if _CRASH.match(result.text) else ""


def outcome(result: ToolResult, context: Context) -> Outcome:
    """Say what became of a call, ``unclear`` where that can be read in two ways."""
    if result.raised is not None:
        return "raised"
    status = result.observation.status if result.observation else None
    if status == "error" or result.protocol_error is True:
        return "refused"
    if own_failure(result, context) is not None:
        return "unclear"
    if status == "success" or (status is None and result.protocol_error is False):
        return "accepted"
    return "unclear"


def judge(sent: Sample, result: ToolResult, context: Context) -> Iterator[Finding]:
    """Yield what the answer to one call says against the input schema.

    Args:
        sent: the call.
        result: what came back.
        context: tool and contract; as the result rules were given it.

    Yields:
        Findings under ``contract.undeclared`` and ``recovery.root-cause``, not yet
        settled by a policy.
    """
    came = outcome(result, context)
    if sent.valid:
        demanded = _demand(sent, result, context) if came == "refused" else None
        if demanded is not None:
            yield demanded
    elif came == "accepted":
        yield _let_through(sent)
    elif came == "refused":
        vague = _vague(sent, result)
        if vague is not None:
            yield vague


def named(about: str) -> str:
    """Return the argument that a place in a call belongs to, ``""`` for the call."""
    return next(reversed(_names(about)), "")


def _names(about: str) -> list[str]:
    parts = [part for part in about.split("/") if part and not part.isdecimal()]
    return [part.replace("~1", "/").replace("~0", "~") for part in parts]


def _let_through(sent: Sample) -> Finding:
    name = named(sent.about)
    shown = _value_at(sent.arguments, sent.about)
    value = "left out" if shown is _ABSENT else _shown(shown)[:60]
    about = f"argument {name!r}" if name else "the call"
    return _found(
        "contract.undeclared",
        f"a call that breaks the input schema succeeds: {about}",
        expected="an error that names the argument",
        seen=f"{sent.keyword}: {value}",
        way_out="check the arguments against the schema before they are used; do not "
        "convert or drop what does not fit",
        path=sent.about,
    )


def _vague(sent: Sample, result: ToolResult) -> Finding | None:
    text = _whole_text(result)
    name = named(sent.about)
    about = f"argument {name!r}" if name else "the call"
    if match := _INTERNAL.search(text[:4_000]):
        return _found(
            "recovery.root-cause",
            f"bad arguments are called an internal error: {about}",
            expected="which argument is wrong, and what would be right",
            seen=match[0],
            way_out="check the arguments first, and answer what is wrong with them",
            path=sent.about,
        )
    if not name or not text.strip():
        return None
    if any(_says(text, part) for part in _names(sent.about)):
        return None
    return _found(
        "recovery.root-cause",
        f"the error does not name the argument that is wrong: {name!r}",
        expected=f"a text with {name!r} in it",
        seen=text,
        way_out="name the argument, what was given and what would be right",
        path=sent.about,
    )


def _demand(sent: Sample, result: ToolResult, context: Context) -> Finding | None:
    """Find a demand on the arguments that the schema does not declare.

    What was looked up and is not there is no such demand, and neither is a relation
    between two arguments, which a schema can hardly say.
    """
    text = _cause(result)
    if not _DEMAND.search(text) or _LOOKED_UP.search(text):
        return None
    name = _demanded(text, sent.arguments, context)
    if not name:
        return None
    return _found(
        "contract.undeclared",
        f"the schema under-declares what the code demands of argument {name!r}",
        expected="a call that the input schema allows is not refused for its form",
        seen=text,
        way_out="say it in the input schema: format, pattern, enum, bounds, required",
        path=f"/{name}",
    )


def _cause(result: ToolResult) -> str:
    observation = result.observation
    if observation is None:
        return (result.text or "")[:4_000]
    # Of a plain text, the first line is the summary, too.
    texts = [*texts_of(observation.root_cause), *error_texts(result, observation)]
    kept = [t for t in texts if not any(t != o and t in o for o in texts)]
    return " ".join(dict.fromkeys(kept))[:4_000]


def _demanded(text: str, arguments: Any, context: Context) -> str:
    contract = context.contract
    properties = contract.input_schema.get("properties") if contract else None
    known = set(properties) if isinstance(properties, Mapping) else set()
    known |= set(arguments) if isinstance(arguments, Mapping) else set()
    quoted = set(re.findall(r"[\"'`‘“]([\w.-]{1,64})[\"'`’”]", text))
    told = {name for name in known if name in quoted}
    told = told or {name for name in known if _says(text, name)}
    absent = {name for name in told if name not in arguments}
    chosen = absent if len(absent) == 1 else told
    if len(chosen) == 1:
        return str(next(iter(chosen)))
    return _missing(text) if not chosen else ""


def _missing(text: str) -> str:
    """Return an argument that the text misses and no schema declares."""
    match = re.search(
        r"(?:argument|parameter|field|property|input)s?\s[\"'`]?([\w.-]{1,64})[\"'`]?\s"
        r"(?:is\s)?(?:missing|required)"
        r"|(?:missing|requires)\s(?:\w+\s){0,3}(?:argument|parameter|field|property)s?"
        r"[\s:]{1,3}[\"'`]?([\w.-]{1,64})",
        text,
        re.IGNORECASE,
    )
    return (match[1] or match[2]) if match else ""


def _whole_text(result: ToolResult) -> str:
    observation = result.observation
    if observation is None:
        return result.text or ""
    texts = [*all_texts(observation), *error_texts(result, observation)]
    return "\n".join(dict.fromkeys(texts))


def _says(text: str, name: str) -> bool:
    """Whether a text names an argument, spelt with spaces or hyphens too."""
    words = [re.escape(word) for word in re.split(r"[_\s-]+", name) if word]
    spelt = r"[_\s-]?".join(words) or re.escape(name)
    return re.search(rf"(?<!\w){spelt}(?!\w)", text, re.IGNORECASE) is not None


def _value_at(arguments: Any, about: str) -> Any:
    node = arguments
    for part in about.strip("/").split("/") if about else ():
        if isinstance(node, Mapping) and part in node:
            node = node[part]
        elif isinstance(node, list) and part.isdecimal() and int(part) < len(node):
            node = node[int(part)]
        else:
            return _ABSENT
    return node


class Difference(NamedTuple):
    """Where two values differ first.

    Attributes:
        path: JSON pointer.
        before: evidence of the first value there, ``absent`` where there is none.
        after: evidence of the second one.
    """

    path: str
    before: str
    after: str

    def __str__(self) -> str:
        place = f"{self.path}: " if self.path else ""
        return f"{place}{self.before} became {self.after}"


def comparable(result: ToolResult) -> Any:
    """Return what of a result must be equal in equal calls, as plain data."""
    observation = result.observation
    if result.raised is not None:
        return {"raised": result.raised}
    if observation is None:
        return {"text": result.text, "structured": result.structured}
    return _observed(observation)


def _observed(observation: Observation) -> dict[str, Any]:
    fields = {name: getattr(observation, name) for name in _FIELDS}
    return {**fields, "next_actions": list(observation.next_actions)}


def difference(
    before: Any, after: Any, volatile: Iterable[str] = ()
) -> Difference | None:
    """Return the first place where two plain values differ, ``None`` where none is.

    Args:
        before: the one value.
        after: the other.
        volatile: JSON pointers of what may differ.
    """
    skipped = frozenset(volatile)
    pending: list[tuple[str, Any, Any]] = [("", before, after)]
    while pending:
        path, one, other = pending.pop()
        if path in skipped:
            continue
        children = _children(path, one, other)
        if children is not None:
            pending += reversed(children)
        elif not _same(one, other):
            return Difference(path, _shown(one), _shown(other))
    return None


def _children(path: str, one: Any, other: Any) -> list[tuple[str, Any, Any]] | None:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        keys = dict.fromkeys([*one, *other])
        return [
            (f"{path}/{key}", one.get(key, _ABSENT), other.get(key, _ABSENT))
            for key in keys
        ]
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        longest = range(max(len(one), len(other)))
        return [(f"{path}/{i}", _item(one, i), _item(other, i)) for i in longest]
    return None


def _item(values: list[Any] | tuple[Any, ...], index: int) -> Any:
    return values[index] if index < len(values) else _ABSENT


def _same(one: Any, other: Any) -> bool:
    if one is _ABSENT or other is _ABSENT:
        return one is other
    if isinstance(one, bool) is not isinstance(other, bool):
        return False
    return bool(one == other) or (one != one and other != other)


def _shown(value: Any) -> str:
    if value is None or value is _ABSENT:
        return "null" if value is None else "absent"
    return evidence(repr(value) if isinstance(value, str) else value)[:120]


def not_equal(
    first: ToolResult, second: ToolResult, volatile: Iterable[str]
) -> Finding | None:
    """Compare the answers to two equal calls of a tool that only reads."""
    differs = difference(comparable(first), comparable(second), volatile)
    if differs is None:
        return None
    return _found(
        "contract.deterministic",
        "equal calls give different observations",
        expected="the same observation, less what the contract declares as volatile",
        seen=str(differs),
        way_out="give the same answer, or name the place under 'volatile' in the "
        "contract",
        path=differs.path,
    )


def wrote(differs: Difference) -> Finding:
    """Say that a tool that is declared to read has changed a state."""
    return _found(
        "contract.side-effect-agrees",
        "a tool declared read_only changed the state",
        expected="the state before the call",
        seen=str(differs),
        way_out="declare what it changes (side_effect), or take the write out",
    )


def acted_twice(differs: Difference, when: str) -> Finding:
    """Say that a repeated write acted again.

    Args:
        differs: the state after one call and after two.
        when: how the call was repeated.
    """
    return _found(
        "contract.idempotency-sound",
        f"the same call acts twice {when}",
        expected="the state after one call",
        seen=str(differs),
        way_out="keep the idempotency key with what it did, where a restart does not "
        "lose it, and answer a known key from there",
    )


def not_proven(reason: str) -> Finding:
    """Say that it could not be seen whether a repeated write acts again."""
    made = abstain(f"idempotency is not proven: {reason}")
    return replace(made, rule="contract.idempotency-sound")


def listed_differently(differs: Difference) -> Finding:
    """Say that two listings of one server differ."""
    return _found(
        "contract.deterministic",
        "two listings in a row differ",
        expected="the same definitions in the same order",
        seen=str(differs),
        way_out="make the listing from constants, in one order",
        path=differs.path,
    )


def not_the_same(what: str, differs: Difference, sides: str) -> Finding:
    """Say that two transports of one tool do not agree.

    Args:
        what: what was compared.
        differs: where they differ.
        sides: the two transports by name.
    """
    return _found(
        "contract.fidelity",
        f"two transports of the tool differ: {what}",
        expected=f"the same from {sides}",
        seen=str(differs),
        way_out="make both from one definition and one function",
        path=differs.path,
    )


def _found(rule: str, message: str, **parts: Any) -> Finding:
    return replace(fail(message, **parts), rule=rule)
