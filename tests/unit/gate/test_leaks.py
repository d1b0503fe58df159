"""What is a quoted prompt, and what only talks about the same things."""

from __future__ import annotations

from itertools import starmap

import pytest

from pytest_agentgate.gate.leaks import Told, Words, find_leaks, pieces

PROMPTS = {
    "listen": "Where does the notes service listen?",
    "limit": "Hey, quick one: I keep getting bitten by slow servers. Is there any way "
    "to put one limit on a whole exchange in httpx?",
    "bm25": "What does bm25 give back in SQLite, a higher or a lower number for a "
    "good hit?",
    "labels": "How do I add a new label enum, and where are notes enriched with tags?",
    "fails": "What happens when a tool fails on type annotations?",
    "terse": "projects?",
    "german": "Darf ein Wrapper in pluggy eine Exception verschlucken?",
    "japanese": "先週の会議で何を決めましたか？",
}


def found(*told: Told) -> list[tuple[str, tuple[str, ...]]]:
    return [(leak.how, leak.tasks) for leak in find_leaks(told, PROMPTS)]


QUOTING = {
    "a short prompt, whole": (
        "Call this for questions such as: where does the notes service listen?",
        "listen",
    ),
    "five content words in a row": (
        "Knows how to put limits on whole exchanges with httpx and more.",
        "limit",
    ),
    "five in a row of a long prompt": (
        "It tells you what BM25 gives back in SQLite: a higher or lower number.",
        "bm25",
    ),
    "the same words in another order": (
        "For a number that bm25 gives a hit in SQLite, a lower or higher one.",
        "bm25",
    ),
    "another language": (
        "Call it if asked: darf ein Wrapper in pluggy eine Exception verschlucken",
        "german",
    ),
    "no spaces": ("例: 先週の会議で何を決めましたか？ など", "japanese"),
}


@pytest.mark.parametrize("case", QUOTING)
def test_a_description_that_quotes_a_prompt(case):
    text, task = QUOTING[case]
    assert [tasks for _, tasks in found(Told("d", text))] == [(task,)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Search the notes.",
        "Call this when the user wants to know which projects exist, what one is for, "
        "or at which address or endpoint its service listens.",
        "Call this when the user asks how to use a library that this code base is "
        "built on (anthropic, httpx, Hypothesis, pluggy, pytest, SQLite).",
        "Search the knowledge base and return the best passages, each with its path.",
        "The limit of passages; 5 if left out.",
        "bm25 in SQLite",
        "Put one limit on it.",
        "Du bist ein Assistent und antwortest auf Fragen zu einer Codebasis.",
        "会議のメモを検索します。",
        "\ud800 \x00 \u202e",
        "word " * 5_000,
    ],
)
def test_a_text_about_the_same_things_is_none(text):
    assert found(Told("d", text)) == []
    assert found(Told("d", text, literal=True)) == []


def test_a_few_words_of_a_literal_are_telling():
    text = "bm25 sqlite number hit"
    assert found(Told("d", text)) == []
    assert found(Told("t.py:1", text, literal=True)) == [
        ("is made of the words of the prompt", ("bm25",))
    ]


TABLE = ("label enum", "enriched with tags", "tool fails", "bm25", "release train")


def test_a_table_of_phrases_from_prompts():
    assert found(Told("t.py:1", phrases=TABLE)) == [
        ("holds 3 phrases, word for word, from the prompts", ("fails", "labels"))
    ]


@pytest.mark.parametrize(
    "phrases",
    [
        # Two phrases; three of one prompt; single words; no prompt's words in a row.
        ("label enum", "tool fails"),
        ("label enum", "enriched with tags", "a new label enum", "the service"),
        ("projects", "libraries", "notes", "tags", "label", "tool", "bm25"),
        ("label the enum", "tags enriched", "tools that fail", "service of notes"),
        (),
    ],
)
def test_other_tables_are_none(phrases):
    assert found(Told("t.py:1", phrases=phrases)) == []


def test_a_pattern_is_a_table():
    pattern = r"\b(label enum|enriched with tags|tool fails)\b"
    assert pieces(pattern) == ("label enum", "enriched with tags", "tool fails")
    assert pieces("one, two") == ()
    assert len(found(Told("t.py:1", phrases=pieces(pattern)))) == 1


def test_equal_texts_are_one_leak():
    text = "where does the notes service listen?"
    assert len(found(Told("a", text), Told("b", text))) == 1


def test_one_fact_among_others_is_common_knowledge():
    """A rule of the house stands in the system prompt and in what users ask."""
    prompts = {
        "t": "I am unwell and want to cancel my basic economy trip to Oslo; a flight "
        "like that cannot be modified, so the insurance has to pay for the travel"
    }
    fact = "Basic economy flights cannot be modified."
    told = Told("p", f"Be brief. {fact} Confirm each booking in writing. Stay polite.")
    assert list(find_leaks([told], prompts)) == []
    assert len(list(find_leaks([Told("p", fact)], prompts))) == 1


def test_a_long_prompt_does_not_have_every_sentence():
    """A prompt that hands a document over has most words somewhere."""
    prompt = " ".join(f"alpha{i} beta{i} gamma{i}" for i in range(200))
    text = "alpha1 gamma77 beta150 alpha199 gamma3"
    assert list(find_leaks([Told("d", text)], {"t": prompt})) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("queries", "query"), ("boxes", "box"), ("notes", "note"), ("classes", "class")],
)
def test_a_plural_is_the_same_word(one, other):
    assert Words(one).telling == Words(other).telling


@pytest.mark.parametrize("word", ["status", "class", "this", "analysis", "gas"])
def test_what_only_looks_like_a_plural_stays(word):
    assert Words(word).all == [word]


def test_many_texts_and_prompts_are_quick():
    prompts = {f"t{i}": f"how does part{i} of thing{i} work today" for i in range(2000)}
    told = starmap(Told, ((f"f:{i}", f"it does thing{i} for you") for i in range(2000)))
    assert list(find_leaks(told, prompts)) == []
