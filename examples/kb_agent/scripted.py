"""A model that says, one after the other, what it was given."""

import json
from typing import Any

from anthropic.types import Message


class Script:
    """A client of such a model.

    Args:
        replies: what it says.
    """

    def __init__(self, *replies: Message) -> None:
        self.replies = list(replies)
        self.requests: list[Any] = []
        self.messages = self

    def create(self, **request: Any) -> Message:
        """Answer one request."""
        self.requests.append(json.loads(json.dumps(request["messages"], default=dict)))
        return self.replies.pop(0)


def reply(stop_reason: str, *content: dict[str, Any]) -> Message:
    """Make a message of the model."""
    return Message.model_validate(
        {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "stop_reason": stop_reason,
            "stop_sequence": None,
            "content": content,
            "usage": {"input_tokens": 10, "output_tokens": 2},
        }
    )


def text(words: str) -> dict[str, str]:
    """Make a text block."""
    return {"type": "text", "text": words}
