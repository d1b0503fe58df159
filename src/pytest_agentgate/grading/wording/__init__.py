"""Wording as evidence of a cause, a remedy and a stop, in six languages.

What is measured here, for recovery text that is not in a structured field:

* a *cause* says what failed and why, not only that something did;
* a *remedy* is an instruction that the caller can carry out: a command, a value, a
  filter to drop, a waiting time, a bounded retry, a hand-over. "Stop and report it"
  counts: handing over is the one safe step that is left;
* a *stop* is a bounded or conditional end: how often, or if it fails again, and then
  what. "Retry once" alone bounds the first try and says nothing of the second, so it
  is a remedy and no stop.

Each table is data, one file per language. Text in a language without a table is
``unknown``: wording then settles nothing, and the rule abstains.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from ..lazy import lazy
from .speech import TEXT_LIMIT, languages, normalise, own_words
from .table import Language

Evidence = Literal["found", "missing", "unknown"]

TEXTS_LIMIT = 40
"""Texts of one result that are judged."""

_TRACEBACK = lazy(
    r"traceback \(most recent call last\)[\s\S]*|^\s*file \"[^\"\n]*\", line \d+.*$"
    r"|^\s+at [\w.$<>]+\([^)\n]*\)\s*$|^\w+(?:\.\w+)*(?:error|exception): .*\n\s+at ",
    re.MULTILINE,
)
_DETAIL = lazy(r"\w\s?:\s+\S")
_TOKEN = lazy(r"[^\W_]+(?:'[^\W\d_]+)?")


class Reading(NamedTuple):
    """What the wording of some texts shows."""

    remedy: Evidence
    stop: Evidence


def read(texts: tuple[str, ...]) -> Reading:
    """Read texts that advise the caller, such as next actions, for remedy and stop."""
    cut = len(texts) > TEXTS_LIMIT or any(len(text) > TEXT_LIMIT for text in texts)
    return _read(tuple(text[:TEXT_LIMIT] for text in texts[:TEXTS_LIMIT]), cut)


@lru_cache(maxsize=128)
def _read(texts: tuple[str, ...], cut: bool) -> Reading:
    known, unknown, joined = _prepare(texts)
    remedy = any(one.says_remedy(joined) for one in known)
    stop = any(one.says_stop(joined) for one in known)
    nothing: Evidence = "unknown" if unknown or cut else "missing"
    return Reading("found" if remedy else nothing, "found" if stop else nothing)


def _prepare(texts: tuple[str, ...]) -> tuple[list[Language], bool, str]:
    known: dict[str, Language] = {}
    unknown = False
    own = [own_words(normalise(text)) for text in texts]
    joined = "\n".join(own)[: 2 * TEXT_LIMIT]
    for text in own:
        found = languages(text)
        if found is None:
            continue
        unknown = unknown or not found
        known.update((one.name, one) for one in found)
    if not known and not unknown and joined.strip():
        known["en"] = languages("stop")[0]  # type: ignore[index]
    return list(known.values()), unknown, joined


def read_cause(texts: tuple[str, ...], tool: str = "") -> Evidence:
    """Tell whether texts say what failed and why.

    Args:
        texts: summary, error message, or a structured root cause.
        tool: the tool's name, which is no cause.
    """
    verdict: Evidence = "missing"
    for text in texts:
        plain = normalise(text)
        bare = _TRACEBACK.sub(" ", plain)
        if tool:
            bare = bare.replace(tool.lower(), " ")
        evidence = _cause(bare)
        if evidence == "found":
            return evidence
        verdict = evidence if evidence == "unknown" else verdict
    return verdict


@lru_cache(maxsize=128)
def _cause(text: str) -> Evidence:
    found = languages(text)
    if found == ():
        return "unknown"
    if found is None:
        return "found" if re.search(r"\d{3}|\w[_-]\w", text) else "missing"
    says = all(_says_cause(one, text) for one in found)
    return "found" if says else "missing"


def _says_cause(language: Language, text: str) -> bool:
    if language.cause.search(text):
        return True
    vague = language.vague
    if not isinstance(vague, frozenset):
        return len(vague.sub("", text)) >= 2
    left = {word for word in _TOKEN.findall(text) if word not in vague}
    # "… raised an unexpected error: kaboom" is thin, but it is the detail there is.
    return len(left) >= 2 or (len(left) == 1 and _DETAIL.search(text) is not None)
