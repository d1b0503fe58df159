"""The texts of a failed result that recovery rules read, by what they are for."""

from __future__ import annotations

from collections.abc import Mapping

from ..contract.observation import Observation, ToolResult
from .wording.presence import says_something, texts_of

TEXT_LIMIT = 4_000
"""Characters of joined text that are judged."""


def failed(result: ToolResult) -> Observation | None:
    """Return the observation where recovery is owed, else ``None``."""
    observation = result.observation
    if observation is None or observation.status == "success":
        return None
    if result.raised is not None or not observation.is_failure_path:
        return None
    return observation


def error_texts(result: ToolResult, observation: Observation) -> tuple[str, ...]:
    """Return what is said of the failure: summary, error message, plain text."""
    said = [observation.summary]
    error = observation.fields.get("error")
    if isinstance(error, str):
        said.append(error)
    elif isinstance(error, Mapping):
        said += [error.get("message"), error.get("detail"), error.get("description")]
    if not observation.fields:
        said.append(result.text)
    return tuple(text for text in said if isinstance(text, str) and text.strip())


def advice(result: ToolResult, observation: Observation) -> tuple[str, ...]:
    """Return what is advised: next actions, else what the plain text says."""
    texts = texts_of(list(observation.next_actions))
    texts = [text for text in texts if says_something(text)]
    return tuple(texts) or error_texts(result, observation)


def all_texts(observation: Observation) -> list[str]:
    """Return every text that the agent reads of a result, in order."""
    parts = [
        observation.summary,
        observation.root_cause,
        observation.remediation,
        observation.stop_condition,
        list(observation.next_actions),
    ]
    return [text for part in parts for text in texts_of(part)]


def cause_text(result: ToolResult, observation: Observation) -> str:
    """Return what is said of the cause, joined and cut."""
    said = (*texts_of(observation.root_cause)[:5], *error_texts(result, observation))
    return "\n".join(said)[:TEXT_LIMIT]
