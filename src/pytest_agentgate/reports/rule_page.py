"""A rule's page, and the list of all pages, as Markdown made from the registry."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

from pydantic import BaseModel

from ..gate.rules import UNCONDITIONAL
from ..grading.registry import Example, Rule

LINE = 88
"""Characters of a line of an example, as the formatter has it."""

_Place = tuple[int, int]
"""Indentation of a line, and characters beside an expression on its line."""
_REPEATED = re.compile(r"(.{0,100}?)(.{1,40}?)\2{4,}\Z", re.DOTALL)
_INPUTS = {
    "tool": "the tool's name",
    "arguments": "the call's arguments",
    "contract": "the tool's contract",
    "known_tools": "the policy's catalogue of tools",
    "mode": "the failure mode that the test names",
    "transport": "what is known of the transport",
    "handler_return": "what the tool's function returned before it was encoded",
    "served": "the tool as the model, or another transport, is given it",
    "pinned": "the definitions of `agentgate.lock`",
}


def page(entry: Rule, said: str = "") -> str:
    """Write one rule's page.

    Args:
        entry: the rule.
        said: what the rule says of its bad example.
    """
    return "\n\n".join(_parts(entry, said)) + "\n"


def index(entries: Iterable[Rule]) -> str:
    """Write the list of rules, by family, with a link to each page."""
    families: dict[str, list[Rule]] = {}
    for entry in entries:
        families.setdefault(entry.family, []).append(entry)
    parts = ["# Rules", _HEAD]
    for family, members in families.items():
        rows = [
            f"| [`{r.id}`]({r.id}.md) | {_severity(r)} | {_cell(r)} |" for r in members
        ]
        table = ["| rule | severity | fails when |", "|---|---|---|", *rows]
        parts += [f"## {family}", "\n".join(table)]
    return "\n\n".join(parts) + "\n"


_HEAD = """\
Every rule has a stable id, `family.name`. The policy, the marker and `check` select by
id or by family. A rule whose input is missing does not apply, and the run's summary
lists it as not covered. A rule that cannot tell abstains, which puts a review reason on
its gate. `pytest-agentgate explain ID` prints a page.

`error` fails the trial; `review` lets it pass and the decision is at most
`needs_review`; `warning` is counted and printed."""


def _cell(entry: Rule) -> str:
    return entry.fails_when.replace("|", "\\|")


def _severity(entry: Rule) -> str:
    strict = f"; {entry.strict} in profile strict" if entry.strict else ""
    return entry.severity + strict


def _parts(entry: Rule, said: str) -> Iterator[str]:
    yield f"# {entry.id}"
    yield _prose(f"**Fails when:** {entry.fails_when}.")
    yield "\n".join(
        (
            f"* severity: {_severity(entry)}",
            f"* judges: {_judged(entry)}",
            _needs(entry),
        )
    )
    if entry.why:
        yield f"## Why\n\n{_prose(entry.why)}"
    if entry.bad is not None:
        yield f"## Bad\n\n{_block('python', shown(entry, entry.bad))}"
        yield from ([_block("text", said)] if said else [])
    if entry.good is not None:
        yield f"## Good\n\n{_block('python', shown(entry, entry.good))}"
    if entry.way_out:
        way_out = f"{entry.way_out[0].upper()}{entry.way_out[1:]}."
        yield f"## What to change\n\n{_prose(way_out)}"
    yield f"## Configure or waive\n\n{_configure(entry)}"


def _judged(entry: Rule) -> str:
    named = {
        "result": "what one call returned",
        "contract": "what one tool promises",
        "catalogue": "the list of tools",
        "trajectory": "what the agent did in a run",
        "run": "a whole run",
    }
    return named[entry.subject]


def _needs(entry: Rule) -> str:
    named = [f"{_INPUTS.get(name, name)} (`{name}`)" for name in sorted(entry.needs)]
    return f"* needs: {' and '.join(named) or 'nothing besides'}"


def _configure(entry: Rule) -> str:
    if entry.family in UNCONDITIONAL:
        return _prose(
            "Neither a policy nor a waiver turns this rule off. What a gate below its "
            "terms does is the gate's own `severity: block`, `review` or `report`: see "
            "[the policy](../reference/policy.md#gates)."
        )
    policy = f"version: 1\nrules:\n  severity: {{{entry.id}: warning}}"
    if entry.check is None:
        left_out = f"`ignore: [{entry.id}]` leaves the rule out."
        return f"{_block('yaml agentgate.yaml', policy)}\n\n{left_out}"
    return f"{_block('yaml agentgate.yaml', policy)}\n\n" + _prose(
        f"`ignore: [{entry.id}]` leaves the rule out; under `rules: tools: TOOL:` "
        "either holds for one tool. "
        f"`pytest-agentgate waive --owner NAME --rule {entry.id}` accepts what the "
        "last run found, with an owner and an end: see "
        "[waive known findings](../how-to/waive-known-findings.md)."
    )


def _prose(text: str) -> str:
    return textwrap.fill(text, 88, break_long_words=False, break_on_hyphens=False)


def _block(info: str, text: str) -> str:
    return f"```{info}\n{text}\n```"


def shown(entry: Rule, example: Example) -> str:
    """Write an example as the call of ``pytest_agentgate`` that grades it."""
    subject, context = example.subject, dict(example.context)
    if entry.subject == "run":
        name = "instructions" if isinstance(subject, str) else "tools"
        return _call("grade_window", [], {name: subject, **context})
    if entry.subject in ("contract", "catalogue"):
        return _call(f"grade_{entry.subject}", [subject], context)
    raised = getattr(subject, "raised", None)
    if raised is not None:
        subject, context = getattr(subject, "raw", None), {"raised": raised, **context}
    return _call("grade", [subject], context)


def _call(
    name: str, values: Iterable[Any], named: Mapping[str, Any], place: _Place = (0, 0)
) -> str:
    parts = [("", value) for value in values]
    parts += [(f"{key}=", value) for key, value in named.items()]
    return _spread(f"{name}(", ")", parts, place)


def _spread(start: str, end: str, parts: list[tuple[str, Any]], place: _Place) -> str:
    """Write a bracket's content on one line where it fits, else a line each."""
    line = start + ", ".join(key + _code(value, place) for key, value in parts) + end
    indent, beside = place
    if indent + beside + len(line) <= LINE and "\n" not in line:
        return line
    inner = indent + 4
    lines = [
        f"{' ' * inner}{key}{_code(value, (inner, len(key) + 1))},"
        for key, value in parts
    ]
    return "\n".join([start, *lines, " " * indent + end.lstrip(",")])


def _code(value: Any, place: _Place = (0, 0)) -> str:
    """Write a value as the Python expression that makes it."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    if isinstance(value, Mapping):
        parts = [(f"{_code(key)}: ", item) for key, item in value.items()]
        return _spread("{", "}", parts, place)
    if isinstance(value, list):
        return _spread("[", "]", [("", item) for item in value], place)
    if isinstance(value, tuple):
        end = ",)" if len(value) == 1 else ")"
        return _spread("(", end, [("", item) for item in value], place)
    if isinstance(value, set | frozenset):
        return _call(type(value).__name__, [sorted(value)], {}, place)
    return _object(value, place)


def _object(value: Any, place: _Place) -> str:
    name = type(value).__name__
    if isinstance(value, BaseModel):
        given = {k: getattr(value, k) for k in value.model_fields_set}
        ordered = {k: given[k] for k in type(value).model_fields if k in given}
        return _call(name, [], ordered, place)
    if is_dataclass(value) and not isinstance(value, type):
        plain = {one.name: _default(one) for one in fields(value)}
        given = {one: getattr(value, one) for one in plain}
        said = {one: v for one, v in given.items() if v != plain[one]}
        return _call(name, [], said, place)
    return repr(value)


def _default(entry: Field[Any]) -> Any:
    made = entry.default_factory
    return entry.default if made is MISSING else made()


def _text(text: str) -> str:
    """Spell text with double quotes; one that ends in a repetition as a product."""
    found = _REPEATED.match(text) if len(text) > 200 else None
    if found:
        head, unit = found.groups()
        times = (len(text) - len(head)) // len(unit)
        start = f"{_text(head)} + " if head else ""
        return f"{start}{_text(unit)} * {times:_}"
    spelt = repr(text)
    return f'"{spelt[1:-1]}"' if spelt[0] == "'" and '"' not in text else spelt
