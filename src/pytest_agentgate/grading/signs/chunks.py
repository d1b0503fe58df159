"""Chunks of retrieved documents in a result: how many, how long, how many were due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...contract.observation import ToolResult
from ..wording.table import words
from .walk import mappings_by_wrapper

_LISTS = words("chunks passages snippets excerpts fragments segments paragraphs")
_TEXTS = ("text", "content", "chunk", "passage", "snippet", "page_content", "excerpt")
_MARKS = words(
    "score similarity distance relevance rank chunk_id chunk_index chunk "
    "passage snippet excerpt page_content"
)
_WRAPPERS = words("result results data response output matches hits documents")
_ASKED = (
    "k",
    "top_k",
    "topK",
    "n_results",
    "num_results",
    "max_results",
    "max_chunks",
    "limit",
    "n",
    "size",
)


def may_exceed(payload: Any, cap: int) -> bool:
    """Whether a payload has room for more than so many chunks; quick and careful."""
    if type(payload) is list:
        return len(payload) > cap
    if type(payload) is not dict or not _WRAPPERS.isdisjoint(payload):
        return True
    for child in payload.values():
        if type(child) is tuple or (type(child) is list and len(child) > cap):
            return True
    return False


def chunks_of(result: ToolResult) -> list[str]:
    """Return the texts of the chunks in a payload, none where it is not retrieval.

    Chunks stand in a list that is called so, or are items with a text and a mark of
    retrieval such as a score; search results are chunks.
    """
    observation = result.observation
    payload = None if observation is None else observation.payload
    if isinstance(payload, list | tuple):
        if observation is not None and not observation.fields:
            return [text for text in payload if isinstance(text, str)]
        return _texts(payload, named=False)
    if not isinstance(payload, Mapping):
        return []
    for _, node in mappings_by_wrapper(payload, _WRAPPERS):
        for key, items in _lists(node):
            found = _texts(items, named=key in _LISTS)
            if found:
                return found
    return []


def _lists(node: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, child in list(node.items())[:200]:
        if isinstance(child, list | tuple) and child:
            yield str(key).lower(), child


def _texts(items: Any, *, named: bool) -> list[str]:
    first = items[0] if items else None
    if isinstance(first, str):
        return [item for item in items if isinstance(item, str)] if named else []
    if not isinstance(first, Mapping) or not _text_of(first):
        return []
    if not named and _MARKS.isdisjoint(first):
        return []
    return [_text_of(item) for item in items if isinstance(item, Mapping)]


def _text_of(item: Mapping[str, Any]) -> str:
    texts = (item.get(name) for name in _TEXTS)
    return max((text for text in texts if isinstance(text, str)), key=len, default="")


def asked_for(arguments: Mapping[str, Any] | None) -> int | None:
    """Return how many chunks the call asked for, if it said."""
    for name in _ASKED:
        value = (arguments or {}).get(name)
        if type(value) is int and value > 0:
            return value
    return None
