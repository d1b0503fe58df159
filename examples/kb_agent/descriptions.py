"""Two questions about what the agent tells the model: is it a leak, and is it needed?

A description that quotes the prompts it is tested with passes any test. One without its
first sentence no longer says when to call the tool, and the gate has to notice.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from stand_in.words import content_words

RUN = 5
SHARE = 0.6
SHORTEST = 3
PHRASE = 4


def without_first_sentence(description: str) -> str:
    """Return a description less its first sentence."""
    return re.sub(r"^.*?\.(?:\s+|$)", "", description, count=1, flags=re.S)


def literals(folder: Path) -> Iterator[str]:
    """Yield every text in the Python files of a folder, docstrings left out."""
    for file in sorted(folder.glob("*.py")):
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        alone = {node.value for node in nodes if isinstance(node, ast.Expr)}
        for node in nodes:
            if isinstance(node, ast.Constant) and node not in alone:
                yield from [node.value] if isinstance(node.value, str) else []


def leaks(texts: Iterable[str], prompts: Mapping[str, str]) -> list[str]:
    """Say which texts quote which prompts.

    A text quotes a prompt if they share five content words in a row (all, of a prompt
    with three or four), or if 60 % of the content words of one stand in the other. The
    share counts from four words on: two words of three may well have to be there.

    Args:
        texts: descriptions, system prompts, literals.
        prompts: the prompts of an evaluation, by name.
    """
    words = {name: content_words(prompt) for name, prompt in prompts.items()}
    return [
        f"{name}: {reason} with {text[:60]!r}"
        for text in texts
        for name, prompt in words.items()
        if (reason := _quotes(content_words(text), prompt))
    ]


def _quotes(text: list[str], prompt: list[str]) -> str:
    if min(len(text), len(prompt)) < SHORTEST:
        return ""
    size = min(RUN, len(prompt))
    if _runs(text, size) & _runs(prompt, size):
        return f"shares {size} content words in a row"
    shared = set(text) & set(prompt)
    for one in (set(text), set(prompt)):
        if len(one) >= PHRASE and len(shared) >= SHARE * len(one):
            return f"shares {len(shared)} of {len(one)} content words"
    return ""


def _runs(words: list[str], size: int) -> set[tuple[str, ...]]:
    return {tuple(words[i : i + size]) for i in range(len(words) - size + 1)}
