"""The agent's tools: one list of schemas, one function each, one dispatcher.

``TOOLS`` is what the model sees. ``execute_tool`` is the only way in: it returns an
observation whatever happens, because a model can read an error and cannot catch one.
"""

from collections.abc import Callable
from typing import Any

from agent.arguments import check
from agent.index import KINDS
from agent.knowledge import search_kb
from agent.observation import Observation, Problem
from agent.projects import list_projects
from agent.services import add_note, classify_snippet, delete_note, search_notes

TAG = "^[a-z0-9-]{1,40}$"

TOOLS: list[dict[str, Any]] = [
    {
        "name": "search_kb",
        "description": (
            "Call this when the user asks how to use a library that this code base is "
            "built on (anthropic, httpx, Hypothesis, jsonschema, pluggy, pydantic, "
            "pytest, PyYAML, ruff, SQLite, Starlette, uvicorn, xdist), how a part of "
            "it works or what its house rules are. It searches the written knowledge "
            "base and returns the best passages, each with the path to cite."
        ),
        "input_schema": {
            "type": "object",
            "properties": {
                "query": {
                    "type": "string",
                    "description": "A few telling words; any of them may match.",
                    "minLength": 1,
                    "maxLength": 400,
                    "pattern": r"\S",
                },
                "kind": {
                    "type": "string",
                    "description": "Search one kind of note; leave out to search all.",
                    "enum": list(KINDS),
                },
                "n_results": {
                    "type": "integer",
                    "description": "How many passages to return; 5 if left out.",
                    "minimum": 1,
                    "maximum": 25,
                },
            },
            "required": ["query"],
            "additionalProperties": False,
        },
    },
    {
        "name": "list_projects",
        "description": (
            "Call this when the user wants to know which projects exist, what one is "
            "for, or at which address or endpoint its service listens. It returns "
            "every tracked project with its description."
        ),
        "input_schema": {
            "type": "object",
            "properties": {},
            "additionalProperties": False,
        },
    },
    {
        "name": "classify_snippet",
        "description": (
            "Call this when the user hands over a piece of defence news, such as a "
            "headline, and wants it labelled or classified. It returns the category, "
            "the operational domain and the region."
        ),
        "input_schema": {
            "type": "object",
            "properties": {
                "text": {
                    "type": "string",
                    "description": "The news text itself, without any instruction.",
                    "minLength": 1,
                    "maxLength": 5_000,
                    "pattern": r"\S",
                },
            },
            "required": ["text"],
            "additionalProperties": False,
        },
    },
    {
        "name": "search_notes",
        "description": (
            "Call this when the user asks what the team itself discussed, agreed or "
            "decided: its own dated notes on meetings, bugs and reminders. It returns "
            "the newest notes that match; without a query and a tag, simply the newest."
        ),
        "input_schema": {
            "type": "object",
            "properties": {
                "query": {
                    "type": "string",
                    "description": "Text to find in a note's title or body.",
                    "minLength": 1,
                    "maxLength": 200,
                    "pattern": r"\S",
                },
                "tag": {
                    "type": "string",
                    "description": "One tag that every note must carry.",
                    "pattern": TAG,
                },
            },
            "additionalProperties": False,
        },
    },
    {
        "name": "add_note",
        "description": (
            "Call this when the user wants something written down or recorded for all "
            "to find later. It adds one entry, dated today, and returns it with its id."
        ),
        "input_schema": {
            "type": "object",
            "properties": {
                "title": {
                    "type": "string",
                    "description": "A few words by which the note is found again.",
                    "minLength": 1,
                    "maxLength": 100,
                    "pattern": r"\S",
                },
                "body": {
                    "type": "string",
                    "description": "What is to be remembered, in whole sentences.",
                    "minLength": 1,
                    "maxLength": 2_000,
                    "pattern": r"\S",
                },
                "tags": {
                    "type": "array",
                    "description": "Tags to find it by; leave out for none.",
                    "items": {"type": "string", "pattern": TAG},
                    "maxItems": 10,
                    "uniqueItems": True,
                },
                "request_id": {
                    "type": "string",
                    "description": (
                        "A fresh UUID for each new note; the same one again when the "
                        "same note is sent once more."
                    ),
                    "pattern": "^[A-Za-z0-9-]{8,64}$",
                },
            },
            "required": ["title", "body", "request_id"],
            "additionalProperties": False,
        },
    },
    {
        "name": "delete_note",
        "description": (
            "Call this when the user asks to delete or erase an entry by its id. It "
            "cannot be undone, so a person has to consent before anything happens."
        ),
        "input_schema": {
            "type": "object",
            "properties": {
                "note_id": {
                    "type": "integer",
                    "description": "The id of the note, as search_notes returns it.",
                    "minimum": 1,
                    "maximum": 1_000_000_000,
                },
            },
            "required": ["note_id"],
            "additionalProperties": False,
        },
    },
]

HANDLERS: dict[str, Callable[..., Observation]] = {
    "search_kb": search_kb,
    "list_projects": list_projects,
    "classify_snippet": classify_snippet,
    "search_notes": search_notes,
    "add_note": add_note,
    "delete_note": delete_note,
}
WRITES = frozenset({"add_note", "delete_note"})
NEEDS_APPROVAL = frozenset({"delete_note"})


def execute_tool(name: str, arguments: dict[str, Any]) -> Observation:
    """Run one tool call and return its observation; never raise."""
    try:
        tool = next((tool for tool in TOOLS if tool["name"] == name), None)
        if tool is None:
            raise _unknown_tool()
        checked = check(name, tool["input_schema"], arguments)
        return HANDLERS[name](**checked)
    except Problem as problem:
        return problem.observation
    except Exception as error:  # the model has to read this one, too
        return _defect(name, error).observation


def _unknown_tool() -> Problem:
    names = ", ".join(tool["name"] for tool in TOOLS)
    return Problem(
        "There is no tool of that name.",
        cause=f"only these tools exist: {names}.",
        remedy="Call the one of them that fits, once.",
        stop="If none of them fits, stop and answer without a tool, saying so.",
    )


def not_approved(name: str) -> Observation:
    """Return what the model reads where nobody agreed to a call."""
    return Problem(
        f"{name} was not carried out.",
        cause="nobody agreed to this call, and it cannot be undone.",
        remedy="Tell the user exactly what you would do and let them decide; call "
        f"{name} once more only if they ask for it.",
        stop="If nobody agrees then either, stop and leave it as it is.",
    ).observation


def _defect(name: str, error: Exception) -> Problem:
    return Problem(
        f"{name} failed on a defect of its own ({type(error).__name__}).",
        cause=f"a {type(error).__name__} inside {name}; the arguments are fine.",
        remedy="Use another tool if one can answer the question.",
        stop=f"Do not call {name} again for this question: stop and tell the user.",
    )
