"""A first look for secrets: one linear pattern that every text with one matches.

Most texts hold no secret. The pattern says so at once, with the Rust engine that
pydantic brings along; it may be wrong on the careful side only. It has no word
boundaries, so that it can be asked of ``repr`` of a value as well, where a line break
is two characters.
"""

from __future__ import annotations

from collections.abc import Iterable

SIGNS = (
    r"token|secret|passw|passphrase|pwd|api[^a-z0-9]{0,4}key|credential|authorization"
    r"|cookie|password[^a-z0-9]{0,4}hash"
    r"|(?:access|private|signing|encryption|auth)[^a-z0-9]{0,4}key"
    r"|eyj|sk-|[sr]k_(?:live|test)_|aiza"
    r"|hf_[a-z0-9]{30}|gh[pousr]_[a-z0-9]{20}|github_pat_|glpat-|a[ks]ia[0-9a-z]{16}"
    r"|xox[abeoprs]-|bearer|://[^\s/'\"<>]*@"
    r"|[2-6][0-9]{14}|[2-6][0-9]{3}[ -][0-9]{4}[ -][0-9]{4}[ -][0-9]{4}"
    r"|3[47][0-9]{2}[ -][0-9]{6}[ -][0-9]{5}"
)
"""In lower case; to be matched without case."""


def sieve(names: Iterable[str], values: Iterable[str]) -> str:
    """Return the pattern, with further names and known values in it.

    Args:
        names: further names whose values are secret.
        values: known secret values.
    """
    words = "".join(f"|{_escape(name)}" for name in names)
    known = {spelling for value in values for spelling in _spellings(value)}
    return "|".join([f"(?i:{SIGNS}{words})", *map(_escape, sorted(known))])


def _spellings(value: str) -> tuple[str, ...]:
    shown = repr(value)[1:-1]
    return value, shown, shown.replace("'", "\\'")


def _escape(text: str) -> str:
    return "".join(
        char if char.isascii() and char.isalnum() else f"\\x{{{ord(char):x}}}"
        for char in text
    )
