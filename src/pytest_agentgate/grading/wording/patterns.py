"""The policy's own regular expressions, in bounded time.

Searched with the Rust engine that pydantic brings along: its time is linear in the
text, in any thread and on any system, whatever the pattern. The price is that it has
no look-around and no back-references; a pattern with those is refused, by name.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from pydantic import TypeAdapter
from pydantic.types import StringConstraints

from ...errors import AgentGateError

TEXT_LIMIT = 4_000
"""Characters of a text that are searched."""


def is_found(pattern: str, text: str) -> bool:
    """Search a text for a pattern from the policy.

    Raises:
        AgentGateError: the pattern cannot be used.
    """
    text = text[:TEXT_LIMIT].encode("utf-8", "replace").decode("utf-8")
    try:
        compile_pattern(pattern).validate_python(text)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=512)
def compile_pattern(pattern: str) -> TypeAdapter[str]:
    """Compile a pattern from the policy.

    Raises:
        AgentGateError: the pattern cannot be used.
    """
    try:
        return TypeAdapter(Annotated[str, StringConstraints(pattern=pattern)])
    except Exception as error:  # pydantic_core.SchemaError, not a public name
        raise AgentGateError(
            f"the regular expression {pattern!r} cannot be used",
            expected="a pattern without look-around and back-references",
            seen=str(error).splitlines()[-1],
            way_out="state each part as a pattern of its own under 'says'",
            docs="docs/rules/recovery.expected.md",
        ) from None
