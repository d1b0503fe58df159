"""The contract that the examples of this family are changes of."""

from __future__ import annotations

from typing import Any

from ....contract.catalogue import Catalogue, Definition
from ....contract.tool import ToolContract

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "description": "A few telling words.",
            "maxLength": 200,
        },
    },
    "required": ["query"],
    "additionalProperties": False,
}
PLAIN = ToolContract(
    name="search",
    version="1",
    description="Call this when the user asks what a note says. It returns the notes.",
    input_schema=SCHEMA,
    side_effect="read_only",
    timeout_seconds=5,
)
LISTED = Catalogue((Definition("search", PLAIN.description, SCHEMA),))


def changed(**fields: Any) -> ToolContract:
    """Return the plain contract with other fields."""
    return PLAIN.model_copy(update=fields)
