"""Which tools a request needs, as far as the words of their descriptions say.

A *request* is cut into *asks* at the ends of its sentences and at words such as "and".
A tool's *score* for an ask adds up the ask's words that stand in the tool's
description, each weighted by how few of the other descriptions have it too. The best
tool of an ask is called if its score reaches ``ENOUGH``. What stands in quotation marks
is handed over, not asked, and counts for nothing.

A *slip* is the one mistake that a noisy trial makes: the runner-up is called in place
of the best tool; where no tool is due, the best one is called all the same. ``SLIP`` is
its chance in each trial.
"""

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from stand_in.words import content_words, likeness

ENOUGH = 0.7
SLIP = 0.04

QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»')
ASK_ENDS = re.compile(r"[.?!;]+(?:\s|$)|\n+|\b(?:and|then|also|plus|und|dann)\b", re.I)


class Choice(NamedTuple):
    """A tool, and the ask that it is to answer."""

    tool: str
    ask: str


class Score(NamedTuple):
    """How well a tool's description matches an ask."""

    tool: str
    ask: str
    points: float


Ranking = Sequence[Score]


def choose(
    request: str, descriptions: Mapping[str, str], *, slips: bool = False
) -> tuple[Choice, ...]:
    """Return the tools to call, each once, in the order of the asks.

    Args:
        request: the user's words.
        descriptions: of each tool on offer, by name.
        slips: whether this trial makes its one mistake.
    """
    if not descriptions:
        return ()
    rankings = [_ranked(ask, descriptions) for ask in asks(request) or [request]]
    due = [ranking for ranking in rankings if ranking[0].points >= ENOUGH]
    chosen: dict[str, Score] = {}
    for best, *_ in due:
        chosen.setdefault(best.tool, best)
    called = list(chosen.values())
    if slips:
        called = _slipped(called, due or rankings)
    return tuple(Choice(score.tool, score.ask) for score in called)


def slips(seed: str, trial: str) -> bool:
    """Return whether a trial slips: always the same for the same seed and trial."""
    digest = hashlib.sha256(f"{seed}\n{trial}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < SLIP * 2**64


def asks(request: str) -> list[str]:
    """Cut a request into the things that it asks for."""
    parts = ASK_ENDS.split(QUOTED.sub(" ", request))
    return [part.strip() for part in parts if part.strip()]


def handed_over(request: str) -> str:
    """Return the first quoted passage, or the whole request where there is none."""
    found = QUOTED.search(request)
    return next(filter(None, found.groups())) if found else request


def _slipped(chosen: Sequence[Score], rankings: Sequence[Ranking]) -> list[Score]:
    if not chosen:
        return [max((ranking[0] for ranking in rankings), key=lambda best: best.points)]
    called = {score.tool for score in chosen}
    others = [score for score in rankings[0] if score.tool not in called]
    return [*others[:1], *chosen[1:]]


def _ranked(ask: str, descriptions: Mapping[str, str]) -> Ranking:
    vocabularies = [frozenset(content_words(text)) for text in descriptions.values()]
    points = [0.0] * len(vocabularies)
    for word in dict.fromkeys(content_words(ask)):
        worth = _worth(word, vocabularies)
        points = [sum(pair) for pair in zip(points, worth, strict=True)]
    scores = map(Score, descriptions, [ask] * len(points), points)
    return sorted(scores, key=lambda score: -score.points)


def _worth(word: str, vocabularies: Sequence[frozenset[str]]) -> list[float]:
    """Return what a word adds to each tool's score: less, the more tools have it."""
    hits = [float(word in vocabulary) for vocabulary in vocabularies]
    if not any(hits):  # a misspelling counts only where nobody spells it that way
        hits = [
            max((likeness(word, known) for known in vocabulary), default=0.0)
            for vocabulary in vocabularies
        ]
    having = sum(hit > 0 for hit in hits)
    if not having:
        return hits
    rarity = math.log((len(hits) + 1) / having) / math.log(len(hits) + 1)
    return [rarity * hit for hit in hits]
