"""The one shape of every tool result: status, summary, payload, source, next_actions.

A success carries ``payload`` and ``source`` and no next actions. A call that delivers
nothing carries three lines in ``next_actions``: the cause, a safe remedy, and the
condition on which to stop.
"""

from typing import Any

Observation = dict[str, Any]


def success(summary: str, payload: Any, source: str) -> Observation:
    """Return what was asked for."""
    return {
        "status": "success",
        "summary": summary,
        "payload": payload,
        "source": source,
    }


def partial(summary: str, payload: Any, source: str, remedy: str) -> Observation:
    """Return a part of what was asked for, and how to get at the rest."""
    delivered = success(summary, payload, source)
    return delivered | {"status": "warning", "next_actions": [remedy]}


def shown(text: str) -> str:
    """Quote a text for a summary: short, on one line, nothing invisible."""
    return repr(text if len(text) <= 80 else text[:79] + "…")


class Problem(Exception):  # noqa: N818 - an empty result is a problem, not an error
    """A call that delivers nothing, and how the model gets on.

    Args:
        summary: one line, what happened.
        cause: why it happened, as far as it is known.
        remedy: what to do about it, safely.
        stop: when to give up, and what to do then.
        status: ``error``, or ``warning`` where the call worked and found nothing.
    """

    def __init__(
        self, summary: str, *, cause: str, remedy: str, stop: str, status: str = "error"
    ) -> None:
        super().__init__(summary)
        self.observation: Observation = {
            "status": status,
            "summary": summary,
            "next_actions": [f"Cause: {cause}", remedy, stop],
        }
