"""Cut results: what shows that something is left out, and what says so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...contract.observation import Observation
from .walk import is_empty, is_mapping, mappings_by_wrapper, nodes

LEAST = 1_000
"""Characters below which a text is no cut-off document."""

SHORT = 30
"""Characters below which a text is no cut-off JSON either."""


def _spelt(words: str) -> frozenset[str]:
    """Return names as they are written with underscores, hyphens and humps."""
    names = words.split()
    humps = ("".join(p.title() for p in name.split("_")) for name in names)
    hyphens = (name.replace("_", "-") for name in names)
    return frozenset({*names, *hyphens, *(h[0].lower() + h[1:] for h in humps)})


_TOTALS = _spelt(
    "total_count total_results total_rows total_items total_matches total_hits "
    "total_records num_results num_rows row_count result_count match_count "
    "matches_total "
    "full_count n_results total_lines"
)
_LOOSE = frozenset({"total", "count", "found", "matched", "available", "hits"})
_PAGERS = frozenset({"page", "paging", "pagination", "meta"})
_TELLING = _TOTALS | _LOOSE | _PAGERS
_PAGES = frozenset({5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 120, 150, 200, 250})
_CUT_ENDS = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})
_PAGING = re.compile(
    r"next|cursor|has_?more|\bmore\b|continu|offset|page|truncat|cut|remaining|omitted"
    r"|^rest$|^file$|full_(?:file|path|output)|saved_to|artifact|complete|partial|shown"
    r"|start|limit",
    re.IGNORECASE,
)
_NOTICE = re.compile(
    r"truncat|\bcut\b|\bfirst\s(?:\d|page|\w+\s\d)|\blast \d|\bshow(?:n|ing|s)\b"
    r"|\btop \d"
    r"|\d\s?(?:of|/|out of)\s?[\d~]|\bpage\b|\bcursor\b|\boffset\b|\bomitted\b"
    r"|\bremaining"
    r"|\bthe rest\b|\bmore (?:in|at|with|via|than|rows|results|items|available|follow)"
    r"|\d+ more\b|\bcontinue|\bexcerpt|\babridged|\bonly \d|\blimited to|\bcapped"
    r"|\bstart=|\bpartial|\bincomplete|gekürzt|abgeschnitten|\bweitere|\bseite\b"
    r"|\bersten?"
    r"|\bvon \d|\bder rest\b|truncad|\bprimer|página|\bmás\b|\brestante|\bde \d|tronqu"
    r"|\bpremi|\bsuivant|\breste\b|\bsur \d|省略|件中|最初|先頭|続き|ページ|残り"
    r"|のうち|截断|前\s?\d"
    r"|共\s?\d|更多|下一页|剩余|其余|部分",
    re.IGNORECASE,
)


def shortfall(observation: Observation, transport: Mapping[str, Any] | None) -> str:
    """Say what is missing by the numbers, ``""`` where nothing shows."""
    payload = observation.payload
    if not transport:
        return _short_by_fields(payload)
    if transport.get("truncated") is True:
        return "the transport cut it"
    end = transport.get("finish_reason", transport.get("stop_reason"))
    if isinstance(end, str) and end.lower() in _CUT_ENDS:
        return f"the run that wrote it ended by {end}"
    count = len(payload) if isinstance(payload, list | tuple) else _items(payload)[0]
    for name in ("rows", "row_count", "total", "hits", "matches"):
        if _exceeds(transport.get(name), count):
            return f"{count} of {transport[name]} {name}"
    return _short_by_fields(payload)


def _short_by_fields(payload: Any) -> str:
    if not is_mapping(payload) or _TELLING.isdisjoint(payload):
        return ""
    count, fields = _items(payload)
    for key, value in fields.items():
        sure = key in _TOTALS or (key in _LOOSE and count in _PAGES)
        if sure and _exceeds(value, count):
            return f"{count} items, {key} {value}"
    return ""


def _exceeds(value: Any, count: int) -> bool:
    return type(value) is int and value > count > 0


def _items(payload: Any) -> tuple[int, Mapping[str, Any]]:
    """Return the number of items and the fields beside them; 0 without a lone list."""
    if not isinstance(payload, Mapping):
        return 0, {}
    lists = [child for child in payload.values() if isinstance(child, list | tuple)]
    if len(lists) != 1 or not lists[0]:
        return 0, {}
    fields: dict[str, Any] = {}
    for _, node in mappings_by_wrapper(payload, _PAGERS):
        fields.update(node)
    return len(lists[0]), fields


def broken_off(payload: Any) -> str:
    """Say where a text breaks off: unfinished JSON, or a round size amid a word."""
    for text in _texts(payload):
        if text[0] in "{[" and _is_unfinished(text):
            return f"JSON that ends after {len(text)} characters"
        if _is_round(len(text)) and text[-1:].isalnum() and " " in text[-400:]:
            return f"a text of {len(text)} characters that ends amid a sentence"
    return ""


def _texts(payload: Any) -> Iterator[str]:
    if isinstance(payload, str):
        payload = {"": payload}
    if is_mapping(payload) and len(payload) <= 50:
        for child in payload.values():
            if type(child) is str and len(child) >= SHORT:
                yield child


def _is_round(length: int) -> bool:
    if length < LEAST:
        return False
    return length & (length - 1) == 0 or (length % 1000 == 0 and length >= 2 * LEAST)


def _is_unfinished(text: str) -> bool:
    if len(text) > 1_000_000 or text.rstrip()[-1:] in ("}", "]"):
        return False
    if not re.match(r"[{\[]\s*(?:\"|[{\[]|\d|-|true|false|null)", text):
        return False
    try:
        json.loads(text)
    except RecursionError:
        return False
    except ValueError as error:
        at = getattr(error, "pos", 0)
        ended = at >= len(text.rstrip()) - 1
        return ended or "Unterminated string" in str(error)
    return False


def is_announced(observation: Observation) -> bool:
    """Whether a result says that it is cut, or how to go on."""
    said = [observation.summary, *observation.next_actions]
    texts = [one[:2_000] for one in said if isinstance(one, str)]
    if any(map(_NOTICE.search, texts)):
        return True
    for part in (observation.payload, observation.fields):
        if isinstance(part, str) and has_notice(part):
            return True
        if isinstance(part, Mapping) and _has_paging(part):
            return True
    return False


def _has_paging(part: Mapping[str, Any]) -> bool:
    for path, key, node in nodes(part, 200):
        if path.count("/") > 3 or isinstance(node, list | tuple | Mapping):
            continue
        if _PAGING.search(key) and not is_empty(node):
            return True
        if isinstance(node, str) and path.count("/") == 1 and has_notice(node):
            return True
    return False


def has_notice(text: str) -> bool:
    """Whether a text itself says at its end that it is cut."""
    tail = text[-200:]
    return (
        re.search(
            r"truncat|\[\s?(?:\.\.\.|…|cut|snip|omitted)|\d+ more|omitted|gekürzt|省略"
            r"|截断",
            tail,
            re.IGNORECASE,
        )
        is not None
    )
