"""The policy's published JSON Schema, made from the settings models.

``python -m pytest_agentgate.store.policy_schema`` writes it anew.
"""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from .files import write_atomic
from .policy import Policy

SCHEMA_FILE = Path(__file__).parents[1] / "policy.schema.json"


def policy_schema() -> dict[str, Any]:
    """Return the JSON Schema of ``agentgate.yaml``.

    Descriptions come from the models' docstrings: the first part describes the
    model, each entry under ``Attributes:`` its field.
    """
    schema = Policy.model_json_schema()
    described: dict[str, type[BaseModel]] = {"": Policy, **_models(Policy)}
    for name, model in described.items():
        _describe(schema["$defs"][name] if name else schema, model)
    # ``observation`` may be the word for plain-text results instead of a block.
    block = schema["properties"]["observation"]
    schema["properties"]["observation"] = {"anyOf": [block, {"const": "text"}]}
    lookup = schema["$defs"]["Lookup"]
    path = {"type": "string"}
    paths = {"type": "array", "items": path, "minItems": 1}
    lookup["properties"]["from"]["anyOf"] = [path, paths]
    for key in ("type", "items", "minItems"):
        lookup["properties"]["from"].pop(key, None)
    schema["$defs"]["Lookup"] = {"anyOf": [path, paths, lookup]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "agentgate policy",
    }


def schema_text() -> str:
    """Return the schema as the text of its file."""
    return json.dumps(policy_schema(), indent=2, sort_keys=True) + "\n"


def _models(model: type[BaseModel]) -> dict[str, type[BaseModel]]:
    """Return the settings models that a model is made of, by name."""
    found: dict[str, type[BaseModel]] = {}
    waiting: list[Any] = [entry.annotation for entry in model.model_fields.values()]
    while waiting:
        node = waiting.pop()
        if isinstance(node, type) and issubclass(node, BaseModel):
            if node.__name__ not in found:
                found[node.__name__] = node
                waiting += [entry.annotation for entry in node.model_fields.values()]
        else:
            waiting += get_args(node)
    return found


def _describe(schema: dict[str, Any], model: type[BaseModel]) -> None:
    text = inspect.getdoc(model) or ""
    summary, _, attributes = text.partition("\n\nAttributes:\n")
    schema["description"] = " ".join(summary.split()).replace("``", "`")
    entries = re.findall(r"^    (\w+): (.*(?:\n {5,}.*)*)", attributes, re.MULTILINE)
    told = {name: " ".join(words.split()) for name, words in entries}
    for name, entry in model.model_fields.items():
        if name in told:
            field = schema["properties"][entry.alias or name]
            field["description"] = told[name].replace("``", "`")
            field.pop("title", None)


if __name__ == "__main__":
    write_atomic(SCHEMA_FILE, schema_text())
