"""Takes secrets out of text and values, where evidence is made (DESIGN 5.16).

What counts as a secret here: what stands under a name that promises one (``token``,
``API_KEY``; not ``max_tokens`` or ``sort_key``), what has the shape of one (vendors'
keys, JWT, PEM blocks, bearer tokens, passwords in URLs, payment cards), and the
values of environment variables with such names, also encoded. E-mail addresses are
not secrets: results are full of them. A secret becomes ``[REDACTED:kind]``; doing it
twice changes nothing more. Values of foreign types are left as they are.
"""

from __future__ import annotations

from typing import Any

from .names import is_secret_name
from .redactor import Redactor
from .shapes import Span

__all__ = [
    "Redactor",
    "Span",
    "find_secrets",
    "is_secret_name",
    "redact",
    "redact_text",
    "secret_spans",
]

_DEFAULT = Redactor()


def redact_text(text: str) -> str:
    """Return the text with every secret replaced; no environment is looked at."""
    return _DEFAULT.redact_text(text)


def redact(value: Any) -> Any:
    """Return the value with every secret replaced; no environment is looked at."""
    return _DEFAULT.redact(value)


def secret_spans(text: str) -> list[Span]:
    """Return start, end and kind of every secret in a text, in order."""
    return _DEFAULT.secret_spans(text)


def find_secrets(value: Any) -> list[tuple[str, str]]:
    """Return JSON pointer and kind of every secret in a value."""
    return _DEFAULT.find_secrets(value)
