"""Secrets that are known by their shape: vendors' keys, tokens, cards."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .names import PLAIN_VALUE

Span = tuple[int, int, str]
"""Start, end and kind of a secret in a text."""

# Each has a group "s", the secret itself; every repetition is linear or bounded.
_SHAPES = tuple(
    (kind, signs, re.compile(pattern, re.DOTALL))
    for kind, signs, pattern in (
        (
            "private-key",
            ("private key-----",),
            r"(?P<s>-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.*?"
            r"(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\Z))",
        ),
        ("jwt", ("eyj",), r"(?<![\w-])(?P<s>eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)"),
        (
            "api-key",
            ("sk-", "sk_", "rk_", "aiza", "hf_"),
            r"(?<![A-Za-z0-9])(?P<s>(?:sk-(?=[\w-]{0,24}?[0-9A-Z])[\w-]{16,}"
            r"|[sr]k_(?:live|test)_\w{10,}|AIza[\w-]{30,}|hf_[A-Za-z0-9]{30,}))",
        ),
        (
            "git-token",
            ("gh", "glpat-"),
            r"(?<![A-Za-z0-9])(?P<s>(?:gh[pousr]_[A-Za-z0-9]{20,}"
            r"|github_pat_\w{20,}|glpat-[\w-]{20,}))",
        ),
        ("cloud-key", ("akia", "asia"), r"\b(?P<s>(?:AKIA|ASIA)[0-9A-Z]{16})\b"),
        ("chat-token", ("xox",), r"\b(?P<s>xox[abeoprs]-[A-Za-z0-9-]{10,})"),
        (
            "bearer",
            ("bearer",),
            r"(?i:\bbearer)\s{1,4}(?=[\w.~+/-]{0,200}?[0-9]|[\w.~+/-]{24})"
            r"(?P<s>[\w.~+/-]{8,}=*)",
        ),
        (
            "authorization",
            ("authorization",),
            r"(?i:authorization)\\{0,4}[\"']?\s{0,4}[:=]\s{0,4}\\{0,4}[\"']?"
            r"(?i:basic|bearer|token|digest)\s{1,4}(?P<s>[^\s\"'\\,;]{4,})",
        ),
        (
            "cookie",
            ("cookie",),
            r"(?i:\bcookie)\\{0,4}[\"']?\s{0,4}:\s{0,4}\\{0,4}[\"']?"
            r"(?P<s>[^\s\"'\\=;,]{1,200}=[^\r\n\"'\\]{4,})",
        ),
        ("password", ("://",), r"://[^\s/:@\"'<>]{0,200}:(?P<s>[^\s/\"'<>]+)@"),
        ("password", ("://",), r"://(?P<s>[\w-]{20,})@"),
    )
)
_CARD = re.compile(
    r"(?<![\w.-])(?:[2-6][0-9]{14,18}"
    r"|[2-6][0-9]{3}(?P<gap>[ -])[0-9]{4}(?P=gap)[0-9]{4}(?P=gap)[0-9]{4}"
    r"|3[47][0-9]{2}(?P<space>[ -])[0-9]{6}(?P=space)[0-9]{5})(?![\w-]|\.[0-9])"
)
_ISSUED = re.compile(
    r"4(?:.{15}|.{18})|5[1-5].{14}|2[2-7].{14}|3[47].{13}|6(?:011|4[4-9].|5..).{12}"
)
_DIGITS = re.compile(r"[0-9]{4}[ -]?[0-9]{4,6}")


def shaped(text: str, lowered: str) -> Iterator[Span]:
    """Yield the secrets of a text that are known by their shape.

    Args:
        text: the text.
        lowered: the same in lower case; what cannot be there is not looked for.
    """
    for kind, signs, pattern in _SHAPES:
        if not any(sign in lowered for sign in signs):
            continue
        for match in pattern.finditer(text):
            if not PLAIN_VALUE.fullmatch(match["s"]):
                yield (*match.span("s"), kind)
    if not _DIGITS.search(text):
        return
    for match in _CARD.finditer(text):
        digits = re.sub("[ -]", "", match[0])
        if _ISSUED.fullmatch(digits) and _passes_luhn(digits):
            yield (*match.span(), "card")


def _passes_luhn(digits: str) -> bool:
    doubled = [sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2]]
    return (sum(doubled) + sum(map(int, digits[::-2]))) % 10 == 0
