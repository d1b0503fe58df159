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
from agent.services import classify_snippet, search_notes

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
                    "pattern": "^[a-z0-9-]{1,40}$",
                },
            },
            "additionalProperties": False,
        },
    },
]

HANDLERS: dict[str, Callable[..., Observation]] = {
    "search_kb": search_kb,
    "list_projects": list_projects,
    "classify_snippet": classify_snippet,
    "search_notes": search_notes,
}


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


def _defect(name: str, error: Exception) -> Problem:
    return Problem(
        f"{name} failed on a defect of its own ({type(error).__name__}).",
        cause=f"a {type(error).__name__} inside {name}; the arguments are fine.",
        remedy="Use another tool if one can answer the question.",
        stop=f"Do not call {name} again for this question: stop and tell the user.",
    )
