"""Words that tell something, in their stems, and how alike two of them are."""

import re
from difflib import SequenceMatcher
from functools import lru_cache

ENGLISH = """
a about after all also am an and any are as ask asks at be been before by call can
could did do does ever everything for from get give had has have he her here hey his
how i if in into is it its itself just know let like lot may me might must my new no
not now of on one or our out over please return returns she should show simply so
some somebody something such tell than that the their them then there these they
thing this those to today too up us use user users wants was way we were what when
where whether which while who why will with without would you your
"""
GERMAN = """
aber als am auch auf aus bei das dem den der des die dir du ein eine einen er es
für hat ich ihr im in ist kann man mit nach oder und uns von vom war was welche
welcher wer wie wir wird wurde wo zu zum
"""
TELL_NOTHING = frozenset((ENGLISH + GERMAN).split())
ENDINGS = "ations ation ings ing ions ion ers er ies ed es ly s e y"
SUFFIXES = ENDINGS.split()
SHORTEST_STEM = 3
SHORTEST_MISSPELT = 5
ALIKE = 0.8


def telling_words(text: str) -> list[str]:
    """Return the words that tell something, in order, in small letters."""
    whole = re.sub(r"['’](?:d|ll|m|re|s|t|ve)\b", "", text.lower())
    words = re.findall(r"[^\W_]+", whole)
    return [word for word in words if word not in TELL_NOTHING]


def content_words(text: str) -> list[str]:
    """Return the stems of the words that tell something, in order."""
    return [stem(word) for word in telling_words(text)]


def stem(word: str) -> str:
    """Cut one ending off a word, where enough of it remains."""
    for suffix in SUFFIXES:
        short = len(word) - len(suffix) < SHORTEST_STEM
        if word.endswith(suffix) and not short and not word.endswith("ss"):
            return word.removesuffix(suffix)
    return word


@lru_cache(maxsize=100_000)
def likeness(one: str, other: str) -> float:
    """Return 1 for equal stems, less for a misspelling or a cognate, else 0."""
    if one == other:
        return 1.0
    shorter, both = min(len(one), len(other)), len(one) + len(other)
    if shorter < SHORTEST_MISSPELT or 2 * shorter < ALIKE * both:
        return 0.0
    ratio = SequenceMatcher(None, one, other, autojunk=False).ratio()
    return ratio if ratio >= ALIKE else 0.0
