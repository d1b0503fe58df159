"""Pages where data is due: what was asked for, and what a proxy put in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...contract.observation import ToolResult
from ..context import Context
from .markup import is_error_page, is_page
from .walk import nodes, plain_text

_PAGE_TOOL = re.compile(
    r"html|page|source|fetch|web|url|crawl|scrape|browse|render|template|e?mail|xml"
    r"|feed"
    r"|rss|svg|dom|http|download|read_file|file|document|markup|sitemap|soap",
    re.IGNORECASE,
)
_BODIES = ("body", "text", "content", "result", "html", "data", "response", "message")


def undue_page(result: ToolResult, context: Context) -> str:
    """Return a page that stands where data is due, ``""`` where none does.

    An error page is never due. Another page is, where the tool is one for pages or
    the media type says so; in a payload it is taken for data unless the contract
    promises another type.
    """
    for text, whole in _candidates(result):
        if not is_page(text):
            continue
        if is_error_page(text) or _is_undue(result, context, whole):
            return text
    return ""


def _candidates(result: ToolResult) -> Iterator[tuple[str, bool]]:
    text = plain_text(result)
    if text is not None:
        yield text, True
        return
    observation = result.observation
    payload: Any = None if observation is None else observation.payload
    if isinstance(payload, str):
        yield payload, False
    elif isinstance(payload, Mapping):
        held = [payload[name] for name in _BODIES if name in payload]
        yield from ((text, False) for text in held if isinstance(text, str))


def _is_undue(result: ToolResult, context: Context, whole: bool) -> bool:
    contract = context.contract
    schema = contract.output_schema if contract is not None else None
    if schema and schema.get("type") not in (None, "string"):
        return whole or not _declares_page(schema)
    if not whole:
        return False
    about = context.tool or ""
    if contract is not None:
        about += " " + contract.description[:500]
    return not _PAGE_TOOL.search(about) and not _is_declared(result)


def _declares_page(schema: Mapping[str, Any]) -> bool:
    names = schema.get("properties")
    return isinstance(names, Mapping) and any(name in names for name in _BODIES)


def _is_declared(result: ToolResult) -> bool:
    """Whether a content block gives its media type as markup."""
    for _, key, node in nodes(result.raw, 500):
        is_type = key.lower().replace("_", "") in (
            "mimetype",
            "mediatype",
            "contenttype",
        )
        if is_type and isinstance(node, str) and re.search(r"html|xml", node):
            return True
    return False
