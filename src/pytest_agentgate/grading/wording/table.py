"""What one language's table of recovery wording holds, and how it is composed.

All patterns run over lower-cased, NFKC-normalised text in which quotations and
forwarded service text are already blanked out. No pattern nests one unbounded
repeat in another; gaps are bounded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..lazy import lazy

GAP = r"(?:[^.!?;\n]|\.(?=\S)){0,70}?"
"""Anything inside one sentence; a dot inside a name or a number does not end it."""

CLAUSE = r"(?:^|[.!?;:,\u2013\u2014\u2026(\n]\s*|\s-\s)"
"""Where a clause begins."""


Patterns = tuple[re.Pattern[str], ...]
"""Tried in order, the likeliest first: faster than one big alternation."""


@dataclass(frozen=True, slots=True)
class Language:
    """How one language says remedy and stop.

    Attributes:
        name: ISO 639-1 code.
        words: words the language is known by, for languages written in Latin script.
        not_stop: phrases that look like a stop and are none; blanked out first.
        stop: a bounded or conditional end.
        not_remedy: phrases that look like an instruction and are none.
        remedy: an instruction that the caller can carry out.
        vague: words that say nothing about a cause; what is left over must.
        cause: words that name a cause by themselves.
    """

    name: str
    words: frozenset[str]
    not_stop: re.Pattern[str]
    stop: Patterns
    not_remedy: re.Pattern[str]
    remedy: Patterns
    vague: frozenset[str] | re.Pattern[str]
    cause: re.Pattern[str]

    def says_stop(self, text: str) -> bool:
        """Whether the text states an end: how often, or if it fails again, what."""
        left = self.not_stop.sub(" § ", text)
        return any(one.search(left) for one in self.stop)

    def says_remedy(self, text: str) -> bool:
        """Whether the text tells the caller something to do."""
        left = self.not_remedy.sub(" § ", text)
        return any(one.search(left) for one in self.remedy)


def any_of(*alternatives: str) -> re.Pattern[str]:
    """Compile alternatives into one pattern."""
    return lazy("|".join(f"(?:{one})" for one in alternatives), re.MULTILINE)


def each(*alternatives: str) -> Patterns:
    """Compile alternatives one by one."""
    return tuple(lazy(one, re.MULTILINE) for one in alternatives)


def words(text: str) -> frozenset[str]:
    """Make a word list from text."""
    return frozenset(text.split())


def ends(
    *alone: str, when: str, again: str, end: str, after: str, once: str, then: str
) -> Patterns:
    """Compose the pattern of a stop from a language's parts.

    Args:
        *alone: what is a stop by itself (a cap, a ban on repeating, "give up").
        when: "if", "when".
        again: that it failed once more.
        end: what then ends it ("stop", "tell the user", "hand it over").
        after: "after two attempts".
        once: "once", "two times".
        then: "then", "otherwise".
    """
    return each(
        *alone,
        rf"\b(?:{when})\b{GAP}(?:{again}){GAP}\b(?:{end})",
        rf"\b(?:{end}){GAP}\b(?:{when})\b{GAP}(?:{again})",
        rf"\b(?:{after}){GAP}\b(?:{end})",
        rf"\b(?:{end}){GAP}\b(?:{after})",
        rf"\b(?:{once})\b{GAP}(?:;\s*)?(?:\b(?:{then})\b{GAP}|[.;,]?\s*\n\s*"
        rf"(?:(?:{then})\s+)?)\b(?:{end})",
    )
