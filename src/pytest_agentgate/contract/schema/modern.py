"""Schemas of any draft, and OpenAPI's ``nullable``, written as draft 2020-12.

Two schemas can be compared only in one language. What is rewritten keeps its place,
so that a JSON pointer into the modern form is one into the written form too, but for
a list under ``items``, which becomes ``prefixItems``.
"""

from __future__ import annotations

from typing import Any

from .references import Document
from .walk import LISTS, MAPS, SINGLES


class Modern:
    """A schema written as draft 2020-12.

    Attributes:
        schema: the modern form; shares nothing that was rewritten.
        restated: whether something is meant that its own draft would not read so:
            ``nullable``, a keyword of another draft.
    """

    def __init__(self, schema: Any) -> None:
        self.restated = False
        dialect = schema.get("$schema") if isinstance(schema, dict) else None
        self._dialect = dialect if isinstance(dialect, str) else "2020-12"
        self._siblings = Document(schema).siblings
        self.schema = self._written(schema)

    def _written(self, schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        made = {
            keyword: self._value(keyword, value) for keyword, value in schema.items()
        }
        made.pop("$schema", None)
        if "$ref" in made and not self._siblings:
            kept = ("$ref", "$defs", "definitions", "default")
            made = {keyword: made[keyword] for keyword in kept if keyword in made}
        self._identity(made)
        self._bounds(made)
        self._items(made)
        self._dependencies(made)
        self._nullable(made)
        return made

    def _value(self, keyword: str, value: Any) -> Any:
        if isinstance(value, dict) and keyword in MAPS:
            return {name: self._written(child) for name, child in value.items()}
        if isinstance(value, list) and keyword in LISTS:
            return [self._written(child) for child in value]
        if isinstance(value, dict) and keyword in SINGLES:
            return self._written(value)
        return value

    def _identity(self, made: dict[str, Any]) -> None:
        if "draft-04" in self._dialect and isinstance(made.get("id"), str):
            made["$id"] = made.pop("id")
        name = made.get("$id")
        if isinstance(name, str) and name.startswith("#") and len(name) > 1:
            del made["$id"]
            made["$anchor"] = name[1:]
        if "$recursiveRef" in made:
            made.setdefault("$ref", made.pop("$recursiveRef"))

    def _bounds(self, made: dict[str, Any]) -> None:
        for bound, strict in (
            ("minimum", "exclusiveMinimum"),
            ("maximum", "exclusiveMaximum"),
        ):
            flag = made.get(strict)
            if isinstance(flag, bool):
                self.restated |= "draft-04" not in self._dialect
                del made[strict]
                if flag and bound in made:
                    made[strict] = made.pop(bound)

    def _items(self, made: dict[str, Any]) -> None:
        if isinstance(made.get("items"), list):
            self.restated |= "2020-12" in self._dialect
            made["prefixItems"] = made.pop("items")
            if "additionalItems" in made:
                made["items"] = made.pop("additionalItems")

    def _dependencies(self, made: dict[str, Any]) -> None:
        held = made.get("dependencies")
        if not isinstance(held, dict):
            return
        self.restated |= "20" in self._dialect
        del made["dependencies"]
        for name, value in held.items():
            keyword = (
                "dependentRequired" if isinstance(value, list) else "dependentSchemas"
            )
            made[keyword] = {**made.get(keyword, {}), name: value}

    def _nullable(self, made: dict[str, Any]) -> None:
        kind = made.get("type")
        if made.pop("nullable", None) is not True or kind is None:
            return
        self.restated = True
        kinds = kind if isinstance(kind, list) else [kind]
        made["type"] = [*kinds, *(["null"] if "null" not in kinds else [])]
        values = made.get("enum")
        if isinstance(values, list) and None not in values:
            made["enum"] = [*values, None]
        if made.get("const") is not None:
            made["enum"] = [made.pop("const"), None]
