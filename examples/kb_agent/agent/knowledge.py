"""``search_kb``: the written knowledge base, searched on this machine."""

import sqlite3

from agent import index
from agent.observation import Observation, Problem, shown, success


def search_kb(query: str, kind: str | None = None, n_results: int = 5) -> Observation:
    """Search the knowledge base."""
    file = index.path()
    if not file.exists():
        raise _not_indexed(file.name)
    try:
        searched = index.size(file, kind)
        chunks = index.search(file, query, kind, int(n_results))
    except sqlite3.Error:
        raise _unreadable_index(file.name) from None
    if not chunks:
        raise _nothing_in_kb(query, kind, searched)
    passages = [{"path": c.path, "heading": c.heading, "text": c.text} for c in chunks]
    sources = ", ".join(dict.fromkeys(chunk.path for chunk in chunks))
    return success(f"{len(chunks)} of {searched} passages.", passages, sources)


def _not_indexed(file: str) -> Problem:
    return Problem(
        "The knowledge base has not been indexed yet.",
        cause=f"the index {file} does not exist.",
        remedy="Ask the user to run `python -m agent.index` in the agent's folder; "
        "then make this call once more.",
        stop="If the index is still missing then, stop and tell the user.",
    )


def _unreadable_index(file: str) -> Problem:
    return Problem(
        "The index of the knowledge base cannot be read.",
        cause=f"{file} is damaged, or is no index of this agent.",
        remedy="Ask the user to rebuild it with `python -m agent.index` in the "
        "agent's folder; then make this call once more.",
        stop="If it cannot be read after that, stop and tell the user.",
    )


def _nothing_in_kb(query: str, kind: str | None, searched: int) -> Problem:
    scope = f"kind {kind!r}" if kind else "all kinds"
    remedy = (
        f"Drop the kind={kind!r} filter and search once more."
        if kind
        else "Search once more with other or more general words."
    )
    return Problem(
        f"Nothing found for {shown(query)} in {searched} passages of {scope}.",
        cause=f"none of the words of the query stands in a passage of {scope}.",
        remedy=remedy,
        stop="If that search finds nothing either, stop and tell the user that the "
        "knowledge base does not cover this.",
        status="warning",
    )
