"""From a YAML document to a settings model, with errors that name file and line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ValidationError
from pydantic_core import PydanticCustomError

from ..errors import PolicyError, nearest
from ..redaction import redact_text
from .yaml_reader import Document, PathTuple

Model = TypeVar("Model", bound=BaseModel)

_WORDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
}
_BOUNDS = {
    "greater_than_equal": "at least {ge:g}",
    "greater_than": "more than {gt:g}",
    "less_than_equal": "at most {le:g}",
    "less_than": "less than {lt:g}",
}


def validate(model: type[Model], document: Document, docs: str) -> Model:
    """Read a document as a model, strictly: no text for numbers, no unknown keys.

    Args:
        model: the settings model of the whole file.
        document: the file.
        docs: the page that explains the file; the top-level key becomes its anchor.

    Raises:
        PolicyError: the first problem of the file, with its line, and how many more
            there are.
    """
    try:
        # As JSON, a list is a tuple's proper spelling and strictness can be had.
        return model.model_validate_json(json.dumps(document.data), strict=True)
    except ValidationError as error:
        problems = error.errors(include_url=False)
    # A misspelt key shows as an unknown and a missing one: the first says more.
    problems.sort(key=lambda p: (p["type"] == "missing", document.line(p["loc"])))
    raise _explain(model, document, problems[0], len(problems) - 1, docs)


def problem_at(
    document: Document, path: PathTuple, problem: str, **parts: str
) -> PolicyError:
    """Make the error for a place in a document; parts as for ``PolicyError``."""
    return PolicyError(f"{document.name}:{document.line(path)}: {problem}", **parts)


def dotted(path: PathTuple) -> str:
    """Spell a path as people do: ``gates.recovery.k``, ``waivers[0].rule``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.lstrip(".")


def pattern_problem(pattern: str) -> str | None:
    """Say why a regular expression from a file is not to be used, or ``None``.

    It must compile, be of bearable length, and not repeat what already repeats
    (``(a+)+``), which can take longer than the universe lasts.
    """
    if len(pattern) > 1_000:
        return "it is longer than 1,000 characters"
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        return f"it does not compile: {error}"
    return "it repeats a repetition, such as (a+)+" if _nests(pattern) else None


def _nests(pattern: str) -> bool:
    plain = re.sub(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", "x", pattern, flags=re.DOTALL)
    repeats = [False]
    for at, char in enumerate(plain):
        if char == "(":
            repeats.append(False)
        elif char == ")" and len(repeats) > 1:
            inner = repeats.pop()
            outer = _unbounded(plain, at + 1)
            if inner and outer:
                return True
            repeats[-1] |= inner or outer
        elif _unbounded(plain, at):
            repeats[-1] = True
    return False


def _unbounded(pattern: str, at: int) -> bool:
    return re.match(r"[*+]|\{\d*,\}", pattern[at : at + 12]) is not None


@dataclass(frozen=True, slots=True)
class _Problem:
    """One of pydantic's complaints, and what is said instead of it."""

    model: type[BaseModel]
    path: PathTuple
    kind: str
    value: Any
    message: str
    context: Mapping[str, Any]

    @property
    def place(self) -> str:
        return dotted(self.path) or "the file"

    @property
    def inside(self) -> str:
        return f" in {dotted(self.path[:-1])}" if self.path[:-1] else ""

    def tell(self) -> tuple[str, str, str]:
        """Return headline, what was expected, and the way out."""
        tellers = {
            "extra_forbidden": self._unknown_key,
            "missing": self._missing_key,
            "literal_error": self._wrong_word,
        }
        return tellers.get(self.kind, self._wrong_value)()

    def _unknown_key(self) -> tuple[str, str, str]:
        known = keys_at(self.model, self.path[:-1])
        headline = f"unknown key {str(self.path[-1])!r}{self.inside}"
        return headline, "one of: " + ", ".join(known), _hint(self.path[-1], known)

    def _missing_key(self) -> tuple[str, str, str]:
        key = str(self.path[-1])
        return f"key {key!r} is missing{self.inside}", f"{key}: ...", f"add {key!r}"

    def _wrong_word(self) -> tuple[str, str, str]:
        expected = self.context["expected"]
        choices = re.findall(r"'([^']*)'", expected)
        way_out = _hint(self.value, choices) if choices else f"write {expected}"
        return f"{self.place} must be {expected}", expected, way_out

    def _wrong_value(self) -> tuple[str, str, str]:
        way_out = f"change {self.place}"
        if self.kind == "string_type" and isinstance(self.value, int | float):
            way_out = f"quote it: '{_show(self.value)}'"
        if self.kind in _WORDS or self.kind in _BOUNDS:
            expected = _WORDS.get(self.kind) or _BOUNDS[self.kind].format(
                **self.context
            )
            return f"{self.place} must be {expected}", expected, way_out
        message = self.message.removeprefix("Value error, ")
        return f"{self.place}: {message}", self.context.get("expected", ""), way_out


def _explain(
    model: type[BaseModel], document: Document, raw: Any, more: int, docs: str
) -> PolicyError:
    # A complaint about a key itself is located below it, at "[key]".
    path = tuple(part for part in raw["loc"] if part != "[key]")
    problem = _Problem(
        model, path, raw["type"], raw["input"], raw["msg"], raw.get("ctx", {})
    )
    headline, expected, way_out = problem.tell()
    more_text = f" (and {more} more problem{'s' if more > 1 else ''})" if more else ""
    return problem_at(
        document,
        path,
        headline + more_text,
        expected=expected,
        seen="" if problem.kind == "missing" else _show(problem.value),
        way_out=way_out,
        docs=docs + (f"#{path[0]}" if path and path[0] in model.model_fields else ""),
    )


def keys_at(model: type[BaseModel], path: PathTuple) -> list[str]:
    """Return the keys that a model takes at a path, sorted; empty where any does."""
    node: Any = model
    for part in path:
        node = _inner(_bare(node), part)
    node = _bare(node)
    if not (isinstance(node, type) and issubclass(node, BaseModel)):
        return []
    return sorted(entry.alias or name for name, entry in node.model_fields.items())


def _inner(node: Any, part: str | int) -> Any:
    if isinstance(node, type) and issubclass(node, BaseModel):
        for name, entry in node.model_fields.items():
            if part in (name, entry.alias):
                return entry.annotation
        return None
    arguments = get_args(node)
    return arguments[1 if get_origin(node) in (dict, Mapping) else 0]


def _bare(node: Any) -> Any:
    """Take ``| None`` off an annotation."""
    if get_origin(node) in (Union, UnionType):
        return next(arg for arg in get_args(node) if arg is not type(None))
    return node


def _hint(word: object, choices: list[str]) -> str:
    hint = nearest(word, choices) if choices else ""
    return hint if hint.startswith("did you mean") else "remove it, or use one of these"


def _show(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    text = redact_text(repr(value)[:400])
    return text if len(text) <= 80 else text[:79] + "…"


def _first_format(value: Any) -> Any:
    # Literal[1] takes 1.0 and true for 1.
    if type(value) is not int or value != 1:
        raise PydanticCustomError("literal_error", "must be 1", {"expected": "1"})
    return value


FormatVersion = Annotated[Literal[1], BeforeValidator(_first_format)]
"""The ``version`` key of a file format that has had one version so far."""
