"""The failed result that the family's examples vary."""

from __future__ import annotations

from typing import Any

DOWN = {
    "status": "error",
    "summary": "The index service at 127.0.0.1:8000 refused the connection.",
    "next_actions": [
        "Start it with 'make serve', then retry once.",
        "If it is refused again, stop and tell the user.",
    ],
}


def down(**fields: Any) -> dict[str, Any]:
    """Return the result with some fields changed."""
    return {**DOWN, **fields}
