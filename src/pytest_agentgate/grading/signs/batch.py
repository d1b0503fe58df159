"""Items of a batch that failed: counts, flags of items, and what a summary says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ...contract.observation import Observation
from ..context import Context
from ..wording.table import words
from .walk import is_set, mappings_by_wrapper

ITEMS_LIMIT = 2_000

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_FILLERS = words(
    "count counts num n number nb items item ids id rows records list total of files "
    "messages entries"
)
_DONE = words(
    "done ok succeeded success successes successful completed processed sent saved "
    "created updated deleted removed archived imported uploaded written moved inserted "
    "copied delivered indexed synced exported applied migrated published converted "
    "stored added posted changed accepted queued scheduled booked paid charged"
)
_FETCHED = words("fetched downloaded loaded retrieved crawled scraped")
_TOTAL = words("attempted requested submitted planned expected total")
_FAILED = words(
    "failed failures failure errors errored error rejected undelivered unsent unsaved "
    "unprocessed bounced dropped failing unsuccessful"
)
_WRAPPERS = words(
    "result data response summary stats counts totals batch outcome report shards "
    "_shards"
)
_GENERIC = words(
    "results items responses outcomes operations writes batch entries updates calls "
    "deliveries uploads actions"
)
_BAD = words("error failed failure fail timeout rejected errored")
_READS = words(
    "get list read search find query show describe count check inspect view lookup "
    "stat "
    "stats status report analyze analyse validate verify test lint audit run ping "
    "probe "
    "monitor diagnose health poll watch compare diff explain"
)
_WRITES = words(
    "send archive import upload delete remove move create update write save sync "
    "migrate "
    "index apply publish notify post put insert copy rename restore export convert "
    "deploy "
    "process batch bulk set add tag label merge close assign invite cancel refund "
    "charge "
    "book pay approve submit"
)
_READING = re.compile(
    r"\b(?:tests?|checks?|jobs?|builds?|health|incidents?|alerts?|pipelines?|statistics"
    r"|stats|metrics|report|history|status of|monitors?|probes?|audit|logs?|runs?"
    r"|deployments?|validation|lint|suites?|listed|read\b)",
    re.IGNORECASE,
)
_ACTING = re.compile(
    r"\b(?:finished|done|complete[d]?|sent|saved|archived|imported|uploaded|deleted"
    r"|removed|moved|created|updated|processed|written|stored|synced|migrated|indexed"
    r"|applied|inserted|copied|exported|converted|published|delivered|notified|drawn"
    r"|resized|renamed|tagged|merged|closed|invited|refunded|booked|posted|submitted"
    r"|added|set|ran|batch)\b",
    re.IGNORECASE,
)
_NONE_FAILED = re.compile(
    r"\b(?:0|no|none|zero|nothing|without(?: any)?|kein\w*|ohne|sin|ning\w+|aucune?"
    r"|sans"
    r"|nessun\w*|sem)\s(?:of them\s|\w+\s)?(?:failed|failures?|failing|errors?|rejected"
    r"|fehler\w*|fehlgeschlagen|fall\w+|errore?s?|erreurs?|échecs?)|失敗(?:は)?(?:なし"
    r"|0)"
    r"|无失败|没有失败",
    re.IGNORECASE,
)
_SOME_FAILED = re.compile(
    r"\bfail(?:ed|ures?|s)?\b|\berrors?\b|could not be|couldn't be|\brejected\b"
    r"|\bbounced\b"
    r"|fehlgeschlagen|fehler|\bfall(?:ó|aron|os?)\b|\berrores\b|échou|échec"
    r"|\berreurs?\b"
    r"|失敗|エラー|失败|错误",
    re.IGNORECASE,
)
_SHARE = re.compile(
    r"(?<![\d.,])(\d{1,9})\s?(?:of|out of|/|von|de|sur|di"
    r"|中)\s?(?:the\s)?(\d{1,9})(?![\d.])"
)


class Failed(NamedTuple):
    """Items that failed.

    Attributes:
        path: JSON pointer, from the payload or the envelope.
        seen: what shows it.
    """

    path: str
    seen: str


def is_reading(context: Context, summary: Any) -> bool | None:
    """Whether the call only read: then failures in its payload are data.

    From the contract, else from the tool's verb, else from the summary; ``None``
    where nothing tells.
    """
    contract = context.contract
    if contract is not None and contract.side_effect is not None:
        return contract.side_effect == "read_only"
    words = [word.lower() for word in _WORD.findall(context.tool or "")]
    for word in words:
        if word in _READS or word in _WRITES:
            return word in _READS
    if not isinstance(summary, str):
        return None
    if _READING.search(summary[:500]):
        return True
    return False if _ACTING.search(summary[:500]) else None


def failed_counts(value: Any, reading: bool | None) -> Failed | None:
    """Find a count of failures beside a count of what was done."""
    for path, node in mappings_by_wrapper(value, _WRAPPERS):
        kinds: dict[str, str] = {}
        failed = ""
        for key, child in list(node.items())[:200]:
            kind = _kind(key)
            if kind == "failed":
                failed = failed or (str(key) if _number(child) else "")
            elif kind and isinstance(child, int | str | list | tuple | Mapping):
                kinds[kind] = str(key)
        own = path.endswith("shards") or _counts_batch(kinds, node, reading)
        if failed and own:
            seen = f"{failed}: {_number(node[failed])}"
            return Failed(f"{path}/{failed}", seen)
    return None


def _counts_batch(kinds: dict[str, str], node: Any, reading: bool | None) -> bool:
    if "fetched" in kinds:
        return True
    if reading is True or "passed" in node:
        return False
    return "done" in kinds or (reading is False and bool(kinds))


def _kind(key: Any) -> str:
    words = [word.lower() for word in _WORD.findall(str(key)[:60])]
    if "not" in words and len(words) == 2:
        return "failed"
    core = [word for word in words if word not in _FILLERS]
    if not core:
        return "total" if words[:1] == ["total"] or "attempted" in words else ""
    if len(core) != 1 or words == ["error"]:
        return ""
    word = core[0]
    kinds = (("failed", _FAILED), ("done", _DONE), ("fetched", _FETCHED))
    for kind, names in (*kinds, ("total", _TOTAL)):
        if word in names:
            return kind
    return ""


def _number(value: Any) -> int:
    if isinstance(value, bool) or value is None:
        return 0
    if isinstance(value, int):
        return max(value, 0)
    if isinstance(value, str):
        return int(value) if value.isdecimal() and len(value) < 10 else 0
    return len(value) if isinstance(value, list | tuple | Mapping) else 0


def failed_items(value: Any, reading: bool | None) -> Failed | None:
    """Find lists in which some items say that they failed."""
    for path, key, items in _lists(value):
        rows = [item for item in items[:ITEMS_LIMIT] if isinstance(item, Mapping)]
        bad = [row for row in rows if _is_bad(row)]
        if not bad:
            continue
        good = [row for row in rows if not _is_bad(row)]
        if _is_outcome(bad, good, key, reading):
            return Failed(path, f"{len(bad)} of {len(rows)} items failed")
    return None


def _lists(value: Any) -> Iterator[tuple[str, str, list[Any]]]:
    if isinstance(value, list | tuple):
        yield "", "results", list(value[:ITEMS_LIMIT])
    for path, node in mappings_by_wrapper(value, _WRAPPERS):
        for key, child in list(node.items())[:200]:
            if isinstance(child, list | tuple) and child:
                yield f"{path}/{key}", str(key).lower(), list(child[:ITEMS_LIMIT])


def _is_bad(row: Mapping[str, Any]) -> bool:
    if row.get("ok") is False or row.get("success") is False:
        return True
    if is_set(row.get("error")):
        return True
    status = row.get("status", row.get("outcome", row.get("result")))
    return isinstance(status, str) and status.lower() in _BAD


def _is_outcome(
    bad: list[Mapping[str, Any]],
    good: list[Mapping[str, Any]],
    key: str,
    reading: bool | None,
) -> bool:
    flagged = [
        row
        for row in bad
        if row.get("ok") is False
        or row.get("success") is False
        or is_set(row.get("error"))
    ]
    if not flagged:
        return reading is False and key in _GENERIC
    if good and _lacks(flagged, good):
        return True
    return reading is False or (reading is None and key in _GENERIC)


def _lacks(bad: list[Mapping[str, Any]], good: list[Mapping[str, Any]]) -> bool:
    """Whether failed items come without what the others brought."""
    brought = set.intersection(*(_filled(row) for row in good))
    return any(brought - _filled(row) - {"ok", "success", "status"} for row in bad)


def _filled(row: Mapping[str, Any]) -> set[str]:
    return {str(key) for key, child in row.items() if child not in (None, "", [], {})}


def failed_in_words(summary: Any, reading: bool | None) -> str:
    """Return the summary where it says that some failed, else ``""``."""
    if not isinstance(summary, str) or reading is True:
        return ""
    said = _NONE_FAILED.sub(" ", summary[:500])
    if not _SOME_FAILED.search(said):
        return ""
    shares = [(int(part), int(whole)) for part, whole in _SHARE.findall(said)]
    if any(0 <= part < whole for part, whole in shares):
        return summary
    counted = re.search(
        r"(?<![\d.,])[1-9]\d{0,8}\s(?:\w+\s){0,2}?(?:failed|failures?|errors?|rejected"
        r"|bounced|could not|fehlgeschlagen|fehler|errores|fallaron|échecs?)",
        said,
        re.IGNORECASE,
    )
    return summary if counted and reading is False else ""


def beside_payload(observation: Observation) -> Mapping[str, Any]:
    """Return the envelope's fields that are none of the contract's own."""
    own = {"status", "summary", "payload", "source", "next_actions", "error"}
    return {
        key: value
        for key, value in observation.fields.items()
        if key not in own and value is not observation.payload
    }
