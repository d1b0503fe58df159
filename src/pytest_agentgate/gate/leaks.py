"""Texts of an agent that quote the prompts which it is tested with.

An agent that was told the questions passes any test (SYS-003, Consequences). A text
*quotes* a prompt that it holds whole, that it shares five content words in a row with,
whose words it is made of, or which one of its sentences has the words of. A *table*
quotes prompts that its phrases stand in word for word. Content words are in small
letters, without plurals and without the words that stand in every sentence.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

RUN = 5
"""Content words in a row that nobody writes twice by chance."""
SHARE = 0.6
SHARED = 4
"""Content words that a share is made of, at least: two of three prove nothing."""
WHOLE = (3, 5)
"""A prompt shorter than a run is quoted whole: content words, and words in all."""
LONGER = 3
"""How many times as long as the other a text may be for a share to mean anything."""
PHRASES = 3
"""Phrases of a table that have to stand in prompts, of two tasks at least."""
UNSPACED = 8
"""Characters of a script without spaces that make a prompt long enough to quote."""

_ENGLISH = """
a about after again all also am an and any are as ask asked asks at be been before
being but by call called can could did do does doing done each every for from get give
had has have he help her here his how i if in into is it its just know let like may me
might must my need needs new no not now of off on one only or other our out over please
return returned returns she should show so some such tell than thank thanks that the
their them then there these they this those to too up us use used user users uses want
wants was way we were what when where whether which while who whose why will with
within without would you your
"""
_GERMAN = """
aber als am an auch auf aus bei bitte das dass dem den der des die dies dir du ein eine
einem einen einer es für hat ich ihr im ist kann kannst man mein mir mit nach nicht noch
nur oder sich sie sind so über um und uns von vom vor war was welche welcher wenn wer
werden wie wir wird wo wurde zu zum zur
"""
_FRENCH = """
au aux avec ce ces cette dans de des du elle en est et il ils je la le les leur lui ma
mais me mes mon ne nous ou par pas pour qu que quel quelle qui sa sans se ses son sont
sur ta te tu un une vos votre vous y
"""
_SPANISH = """
al como con cual cuando de del desde donde el ella en entre era es esta este esto fue
ha hay la las le lo los más me mi muy no nos o para pero por qué que se ser si sin
sobre son su sus te tu un una uno y ya yo
"""
COMMON = frozenset((_ENGLISH + _GERMAN + _FRENCH + _SPANISH).split())

_WORD = re.compile(r"[^\W_]+")
_CLITIC = re.compile(r"['’](?:d|ll|m|re|s|t|ve)\b")
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|\n+|[。！？]")
_PIECE = re.compile(r"[|;,\n]")
_SYNTAX = re.compile(r"\\[A-Za-z]|[()?:^$]")
_WIDE = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff]")


@dataclass(frozen=True, slots=True)
class Told:
    """Something that the agent is told, or made of.

    Attributes:
        where: where it stands, as a message names it.
        text: the text.
        phrases: the strings of a collection; ``text`` is empty then. Neither is
            nothing told.
        literal: whether it is from the source code, where a few words are telling.
    """

    where: str
    text: str = ""
    phrases: tuple[str, ...] = ()
    literal: bool = False


class Leak(NamedTuple):
    """A text that quotes prompts.

    Attributes:
        told: the text.
        how: what is shared.
        tasks: whose prompts it quotes.
        quoted: the first prompt, or the phrases.
    """

    told: Told
    how: str
    tasks: tuple[str, ...]
    quoted: str


class Words:
    """A text, taken apart at first use.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self.plain = " ".join(text.lower().split())

    @cached_property
    def all(self) -> list[str]:
        """Every word, in order, without its plural."""
        return [_singular(w) for w in _WORD.findall(_CLITIC.sub("", self.plain))]

    @cached_property
    def telling(self) -> list[str]:
        """The content words, in order."""
        words = _WORD.findall(_CLITIC.sub("", self.plain))
        return [_singular(word) for word in words if word not in COMMON]

    def runs(self, size: int) -> Iterator[tuple[str, ...]]:
        """Yield each row of that many content words."""
        words = self.telling
        return (tuple(words[i : i + size]) for i in range(len(words) - size + 1))

    def holds(self, other: Words) -> bool:
        """Whether the other's words all stand here, in a row."""
        return f" {' '.join(other.all)} " in f" {' '.join(self.all)} "


def _singular(word: str) -> str:
    if len(word) < 4 or not word.isascii() or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    return word if word.endswith(("ss", "us", "is")) else word[:-1]


def find_leaks(told: Iterable[Told], prompts: Mapping[str, str]) -> Iterator[Leak]:
    """Find the texts that quote prompts; equal texts are one.

    Args:
        told: descriptions, system prompt, literals.
        prompts: what the agent is asked in its evaluation, by task.
    """
    known = _Prompts(prompts)
    seen: set[str | tuple[str, ...]] = set()
    for entry in told:
        key = entry.text or entry.phrases
        if not key or key in seen:
            continue
        seen.add(key)
        found = known.in_table(entry) if entry.phrases else known.in_text(entry)
        if found is not None:
            yield found


class _Prompts:
    """Every prompt, found by the words that it has."""

    def __init__(self, prompts: Mapping[str, str]) -> None:
        self.words = {task: Words(text) for task, text in prompts.items()}
        self.texts = prompts
        self._runs: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self._short: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self._sentences: dict[str, list[tuple[str, frozenset[str]]]] = defaultdict(list)
        self._wide = {
            task: words.plain
            for task, words in self.words.items()
            if len(_WIDE.findall(words.plain)) >= UNSPACED
        }
        for task, words in self.words.items():
            if len(words.telling) < RUN:
                self._short[tuple(words.telling)].add(task)
            for run in words.runs(RUN):
                self._runs[run].add(task)
            for part in _parts(prompts[task]):
                for word in part:
                    self._sentences[word].append((task, part))

    def in_text(self, told: Told) -> Leak | None:
        text = Words(told.text)
        ways = (
            ("quotes the prompt", self._whole(text)),
            (f"shares {RUN} content words in a row with the prompt", self._row(text)),
            ("is made of the words of the prompt", self._shared(told)),
        )
        for how, tasks in ways:
            if tasks:
                first = min(tasks)
                return Leak(told, how, tuple(sorted(tasks)), self.texts[first])
        return None

    def _whole(self, text: Words) -> set[str]:
        found = {task for task, plain in self._wide.items() if plain in text.plain}
        content, count = WHOLE
        for size in range(content, RUN):
            for run in text.runs(size):
                for task in self._short.get(run, ()):
                    prompt = self.words[task]
                    if size > content or (
                        len(prompt.all) >= count and text.holds(prompt)
                    ):
                        found.add(task)
        return found

    def _row(self, text: Words) -> set[str]:
        return {task for run in text.runs(RUN) for task in self._runs.get(run, ())}

    def _shared(self, told: Told) -> set[str]:
        found: set[str] = set()
        least = SHARED if told.literal else RUN
        whole = frozenset(Words(told.text).telling)
        for part in _parts(told.text):
            shared: Counter[tuple[str, frozenset[str]]] = Counter()
            for word in part:
                shared.update(self._sentences.get(word, ()))
            for (task, asked), count in shared.items():
                if count < SHARED or not _comparable(part, asked):
                    continue
                # One sentence of a long text says what everybody knows of the matter.
                own = (
                    part == whole and len(part) >= least and count >= SHARE * len(part)
                )
                its = len(asked) >= RUN and count >= SHARE * len(asked)
                if own or its:
                    found.add(task)
        return found

    def in_table(self, told: Told) -> Leak | None:
        phrases = {p.lower(): Words(p) for p in told.phrases}
        telling = {p: words for p, words in phrases.items() if len(words.telling) > 1}
        hits = {
            phrase: {task for task, p in self.words.items() if p.holds(words)}
            for phrase, words in telling.items()
        }
        hits = {phrase: tasks for phrase, tasks in hits.items() if tasks}
        tasks = set().union(*hits.values())
        if len(hits) < PHRASES or len(tasks) < 2:
            return None
        how = f"holds {len(hits)} phrases, word for word, from the prompts"
        return Leak(told, how, tuple(sorted(tasks)), ", ".join(sorted(hits)))


def _comparable(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether neither is so long that it has the other's words anyway."""
    return max(len(one), len(other)) <= LONGER * min(len(one), len(other))


def _parts(text: str) -> set[frozenset[str]]:
    """Return the content words of each sentence, and of the whole."""
    parts = {frozenset(Words(one).telling) for one in _SENTENCE.split(text)}
    return {part for part in (*parts, frozenset(Words(text).telling)) if part}


def pieces(text: str) -> tuple[str, ...]:
    """Return what a text lists, such as the alternatives of a pattern."""
    parts = tuple(_SYNTAX.sub(" ", part).strip() for part in _PIECE.split(text))
    return parts if len(parts) >= PHRASES else ()
