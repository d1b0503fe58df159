"""What a tool is called, and what a reader is told of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ....contract.catalogue import Catalogue, Definition
from ....contract.schema.walk import places
from ....contract.tool import ToolContract
from ....redaction.names import name_words
from ...context import Context
from ...finding import Finding, fail
from ...registry import Example, Rule, rule
from ...signs.orders import order_in
from ...signs.steering import steering_in
from .examples import LISTED, PLAIN, changed

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_READS_WORDS = """
check describe download fetch find get inspect list look lookup query read
retrieve search show status view
"""
_READS = frozenset(_READS_WORDS.split())

_CHANGES_WORDS = """
add append archive book cancel charge clear close commit create delete deploy
destroy drop edit execute insert kill merge modify move open overwrite patch pay
post publish purge push put refund remove rename replace reset restart revoke
run save send set start stop submit transfer update upload upsert write
"""
_CHANGES = frozenset(_CHANGES_WORDS.split())

_SWITCHES = frozenset(("action", "operation", "op", "command", "method", "verb"))
_FREE = frozenset(
    ("command", "cmd", "shell", "script", "code", "sql", "statement", "expression")
)
_LANGUAGE = re.compile(
    r"\b(?:SQL (?:query|statement|command)s?|shell commands?|bash command"
    r"|(?:python|javascript|shell|bash) (?:code|script))\b",
    re.IGNORECASE,
)


@rule(
    "contract.name",
    subject="contract",
    strict="error",
    fails_when="name outside ^[A-Za-z0-9_-]{1,64}$",
    way_out="rename the tool: letters, digits, '_' and '-', at most 64 of them",
    bad=Example(changed(name="notes/search")),
    good=Example(PLAIN),
)
def name(contract: ToolContract, context: Context) -> Finding | None:
    """Model providers refuse other names, or rewrite them so that calls miss."""
    if _NAME.fullmatch(contract.name):
        return None
    return fail(
        "a name that providers refuse",
        expected="1 to 64 of A-Z, a-z, 0-9, '_' and '-'",
        seen=f"{contract.name!r}, {len(contract.name)} characters",
    )


@rule(
    "contract.unique-name",
    subject="catalogue",
    strict="error",
    fails_when="the same name twice, also after prefixing or normalising",
    way_out="rename one of them; across servers, prefix each with its server",
    bad=Example(Catalogue((*LISTED.definitions, *LISTED.definitions))),
    good=Example(LISTED),
)
def unique_name(catalogue: Catalogue, context: Context) -> list[Finding]:
    """Of two tools with one name the later wins, silently."""
    found: list[Finding] = []
    for key in (_exactly, _normalised, _prefixed):
        what = (
            "the same name twice" if key is _exactly else "names that hosts make equal"
        )
        said = {one.tool for one in found}
        alike = _equal(catalogue.definitions, key, what)
        found += [one for one in alike if one.tool not in said]
    return found


def _exactly(entry: Definition) -> str:
    return entry.name


def _prefixed(entry: Definition) -> str:
    return _plain(f"{entry.server}_{entry.name}" if entry.server else entry.name)


def _normalised(entry: Definition) -> str:
    return _plain(entry.name)


def _plain(name: str) -> str:
    humps = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"[^a-z0-9]+", "_", humps.lower()).strip("_")


def _equal(entries: Iterable[Definition], key: Any, what: str) -> list[Finding]:
    groups: dict[str, list[Definition]] = {}
    for entry in entries:
        groups.setdefault(key(entry), []).append(entry)
    return [
        replace(
            fail(what, expected="one tool a name", seen=_spelt(group)),
            tool=group[-1].name,
        )
        for spelling, group in groups.items()
        if len(group) > 1 and spelling
    ]


def _spelt(group: Iterable[Definition]) -> str:
    return ", ".join(
        f"{one.name!r} of {one.server}" if one.server else repr(one.name)
        for one in group
    )


@rule(
    "contract.stable-name",
    subject="catalogue",
    strict="error",
    needs=("pinned",),
    fails_when="a tool renamed or removed against the lock",
    way_out="keep the name, or agree on the change: 'pytest-agentgate lock'",
    bad=Example(Catalogue(), {"pinned": {"search": LISTED.definitions[0]}}),
    good=Example(LISTED, {"pinned": {"search": LISTED.definitions[0]}}),
)
def stable_name(catalogue: Catalogue, context: Context) -> list[Finding]:
    """Prompts, approvals and saved runs know a tool by its name (SYS-003 §1)."""
    pinned = context.pinned or {}
    present = {entry.name for entry in catalogue.definitions}
    fresh = [entry for entry in catalogue.definitions if entry.name not in pinned]
    return [
        replace(_gone(entry, fresh), tool=known)
        for known, entry in pinned.items()
        if known not in present
    ]


def _gone(entry: Definition, fresh: Iterable[Definition]) -> Finding:
    for other in fresh:
        same_words = entry.description and other.description == entry.description
        # Two tools without arguments have one schema, and nothing else in common.
        same_schema = _has_arguments(entry) and other.input_schema == entry.input_schema
        if same_words or same_schema:
            what = "description" if same_words else "input schema"
            return fail(
                f"the tool was renamed to {other.name!r}",
                expected=f"{entry.name!r}, as the lock has it",
                seen=f"{other.name!r} with the same {what}",
            )
    return fail(
        "the tool was removed",
        expected=f"{entry.name!r}, as the lock has it",
        seen="no tool of that name",
    )


def _has_arguments(entry: Definition) -> bool:
    given = entry.input_schema
    return isinstance(given, Mapping) and bool(given.get("properties"))


@rule(
    "contract.served",
    subject="catalogue",
    strict="error",
    fails_when="a declared tool is not served",
    way_out="serve it, or take it out of the contracts and the catalogue",
    bad=Example(Catalogue((), {"search": PLAIN})),
    good=Example(Catalogue(LISTED.definitions, {"search": PLAIN})),
)
def served(catalogue: Catalogue, context: Context) -> list[Finding]:
    """What is promised and not there fails at the first call, in production."""
    listed = {entry.name for entry in catalogue.definitions}
    missing = [
        replace(_not_there("the catalogue"), tool=known)
        for known in catalogue.declared
        if known not in listed
    ]
    if catalogue.served is None:
        return missing
    there = {entry.name for entry in catalogue.served}
    # What the model's provider runs is served by nobody else.
    own = [e.name for e in catalogue.definitions if not e.hosted]
    return missing + [
        replace(_not_there("the other transport"), tool=known)
        for known in dict.fromkeys(own)
        if known not in there
    ]


def _not_there(where: str) -> Finding:
    return fail(
        f"the tool is declared and {where} does not serve it",
        expected=f"the tool in {where}",
        seen="no tool of that name",
    )


@rule(
    "contract.undeclared",
    subject="catalogue",
    strict="error",
    fails_when="the dispatcher serves a tool the catalogue does not list, or the "
    "function's parameters differ from the schema",
    way_out="declare what is served, and let the code demand what the schema says",
    bad=Example(Catalogue((), served=LISTED.definitions)),
    good=Example(Catalogue(LISTED.definitions, served=LISTED.definitions)),
)
def undeclared(catalogue: Catalogue, context: Context) -> list[Finding]:
    """What nobody declared, nobody reviewed.

    Tools are compared here; parameters by probing (``pytest-agentgate probe``), which
    sends what the schema allows and what it forbids.
    """
    listed = {entry.name for entry in catalogue.definitions}
    return [
        replace(
            fail(
                "a tool that the catalogue does not list",
                expected="every served tool in the catalogue",
                seen=repr(known),
            ),
            tool=known,
        )
        for known in dict.fromkeys(entry.name for entry in catalogue.served or ())
        if known not in listed
    ]


DETERMINISTIC = Rule(
    id="contract.deterministic",
    subject="contract",
    severity="warning",
    strict="error",
    fails_when="equal read-only calls give different observations (declared volatile "
    "fields excepted), or the listing changes its order or bytes",
    why="A result that differs for no reason cannot be compared with yesterday's, and "
    "a listing that does defeats the model's prompt cache. Judged by probing.",
    way_out="sort what is returned, or declare the field under 'volatile'",
)


@rule(
    "contract.version",
    subject="contract",
    severity="warning",
    strict="error",
    fails_when="no version",
    way_out="give the contract a version, and raise it with what it promises",
    bad=Example(changed(version=None)),
    good=Example(PLAIN),
)
def version(contract: ToolContract, context: Context) -> Finding | None:
    """Two runs can be compared if both say which promise they were held to."""
    if contract.version and contract.version.strip():
        return None
    return fail("a contract without a version", seen=contract.version)


@rule(
    "contract.description",
    subject="contract",
    strict="error",
    fails_when="no description of when to call the tool, or one that gives orders "
    "beyond that",
    way_out="say when to call it and what it returns: 'Call this when the user asks …'",
    bad=Example(changed(description=" ")),
    good=Example(PLAIN),
)
def description(contract: ToolContract, context: Context) -> Finding | None:
    """The description is all that a model chooses a tool by, and it is obeyed.

    An order in it ("ignore the rules above", "do not tell the user") is in force in
    every conversation, whatever the tool is called for.
    """
    if not contract.description.strip():
        return fail(
            "no description",
            expected="when to call the tool",
            seen=repr(contract.description),
        )
    for place, text in _read_by_model(contract):
        if order := order_in(text) or steering_in(text):
            return fail(
                f"{place} gives orders to the model",
                expected="when to call the tool and what it returns",
                seen=order,
            )
    return None


def _read_by_model(contract: ToolContract) -> Iterator[tuple[str, str]]:
    yield "the description", contract.description
    for place in places(contract.input_schema):
        if isinstance(place.schema, dict):
            text = place.schema.get("description")
            if isinstance(text, str):
                yield f"the description of {place.pointer or 'the arguments'}", text


@rule(
    "contract.one-job",
    subject="contract",
    severity="warning",
    strict="error",
    fails_when="a catch-all tool: free-form commands, or an action switch over "
    "unrelated effects",
    way_out="make a tool of each job, with a schema of its own",
    bad=Example(
        changed(
            input_schema={
                "type": "object",
                "properties": {"command": {"type": "string"}},
                "required": ["command"],
                "additionalProperties": False,
            }
        )
    ),
    good=Example(PLAIN),
)
def one_job(contract: ToolContract, context: Context) -> Finding | None:
    """What a tool can do is what its worst argument can do (SYS-003 §1)."""
    for parameter, schema in _properties(contract):
        if _is_free_form(parameter, schema):
            return fail(
                f"{parameter!r} takes any command",
                expected="one job, with arguments of narrow types",
                seen=schema,
            )
        if mixed := _mixed(parameter, schema):
            return fail(
                f"{parameter!r} switches between reading and changing",
                expected="a tool for each",
                seen=mixed,
            )
    return None


def _properties(contract: ToolContract) -> Iterator[tuple[str, Mapping[str, Any]]]:
    properties = contract.input_schema.get("properties")
    if isinstance(properties, Mapping):
        for parameter, schema in properties.items():
            if isinstance(schema, Mapping):
                yield str(parameter), schema


def _is_free_form(parameter: str, schema: Mapping[str, Any]) -> bool:
    if schema.get("type") != "string" or {"enum", "const", "pattern"} & schema.keys():
        return False
    words = name_words(parameter)
    said = schema.get("description")
    told = isinstance(said, str) and _LANGUAGE.search(said) is not None
    return bool(words) and (words[-1] in _FREE or told)


def _mixed(parameter: str, schema: Mapping[str, Any]) -> str:
    """Return an action switch that mixes reading and changing, ``""`` for none."""
    choices = schema.get("enum")
    if parameter.lower() not in _SWITCHES or not isinstance(choices, list):
        return ""
    verbs = {words[0] for one in choices if (words := name_words(str(one)))}
    return repr(choices) if verbs & _READS and verbs & _CHANGES else ""


@rule(
    "contract.granularity",
    subject="contract",
    severity="warning",
    strict="error",
    fails_when="a tool that mutates or crosses the network also does something else",
    way_out="split it: one small tool for the risky step, others for the rest",
    bad=Example(changed(name="delete_and_list", side_effect="irreversible_mutation")),
    good=Example(changed(name="delete_note", side_effect="irreversible_mutation")),
)
def granularity(contract: ToolContract, context: Context) -> Finding | None:
    """Granularity follows risk: micro-tools for what mutates (SYS-003 §1)."""
    if not (contract.mutates or contract.network):
        return None
    words = name_words(contract.name)
    for joint in ("and", "or"):
        if joint in words[1:-1]:
            before, after = words[: words.index(joint)], words[words.index(joint) + 1 :]
            verbs = _READS | _CHANGES
            if before[0] in verbs and after[0] in verbs and before[0] != after[0]:
                return fail(
                    "one tool for two steps",
                    expected="one step a tool where a step has effects",
                    seen=contract.name,
                )
    for parameter, schema in _properties(contract):
        if mixed := _mixed(parameter, schema):
            return fail(
                f"{parameter!r} chooses between steps of different risk",
                expected="one step a tool where a step has effects",
                seen=mixed,
            )
    return None


@rule(
    "contract.overlap",
    subject="catalogue",
    severity="warning",
    strict="error",
    fails_when="two tools a reader cannot tell apart by description",
    way_out="say in each what the other is not for",
    bad=Example(
        Catalogue(
            (
                Definition("find", "Call this to find a note by its text."),
                Definition("search", "Call this to find a note by its text"),
            )
        )
    ),
    good=Example(LISTED),
)
def overlap(catalogue: Catalogue, context: Context) -> list[Finding]:
    """Between two equal descriptions a model chooses by chance.

    Two are equal if they are made of the same words, of which three or more are not
    the tool's own name.
    """
    groups: dict[frozenset[str], list[str]] = {}
    for entry in catalogue.definitions:
        words = frozenset(re.findall(r"\w+", entry.description.lower()))
        others = words - set(name_words(entry.name))
        if len(others) >= 3 and entry.name not in groups.get(words, ()):
            groups.setdefault(words, []).append(entry.name)
    return [
        replace(
            fail(
                f"described in the same words as {names[0]!r}",
                expected="a description that tells the tools apart",
                seen=", ".join(names),
            ),
            tool=other,
        )
        for names in groups.values()
        for other in names[1:]
    ]


RULES = (
    name,
    unique_name,
    stable_name,
    served,
    undeclared,
    DETERMINISTIC,
    version,
    description,
    one_job,
    overlap,
    granularity,
)
