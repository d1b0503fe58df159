"""Empty results: whether they say what was searched, or what a write changed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...contract.observation import Observation
from ..context import Context
from ..wording.presence import leaves, says_something
from ..wording.table import words
from .batch import is_reading
from .walk import is_empty, is_mapping

_WORD = re.compile(r"[^\W\d_]+|\d[\d.,]*")
_QUOTED = re.compile(r"['\"`“‘「«][^'\"`”’」»\n]{1,200}['\"`”’」»]|\S=\S|\S:\S")
_BARE = words(
    "a an the no none 0 zero nothing was were is are be there found find result "
    "results "
    "returned return row rows record records hit hits match matches matched matching "
    "item "
    "items entry entries empty list data any for your this that query search statement "
    "done ok okay success successful successfully completed complete request call "
    "finished "
    "and with in to of got have has not yet sorry available output executed ran run "
    "keine kein ergebnisse ergebnis treffer gefunden nichts leer es wurde wurden ohne "
    "sin resultados resultado ningún ninguno ninguna encontró encontraron nada no se "
    "hay "
    "vacío aucun aucune résultat résultats trouvé rien vide pas de il y"
)
_BARE_CJK = re.compile(
    r"(?:該当|結果|検索|見つかりません|ありません|でした|なし|件|は|が|を|に|の|0|０"
    r"|。|、|空|データ|です|ませ"
    r"|ん|没有|无|未|找到|结果|任何|匹配|的|了|数据|条|为空|查询|共)+"
)
_EFFECT = re.compile(
    r"\b(?:affected|changed|updated|deleted|removed|inserted|modified|created|written"
    r"|saved|moved|archived|sent|matched|renamed|cleared|dropped|stored|added|set"
    r"|closed"
    r"|cancell?ed|applied|copied|merged|unchanged|touched|geändert|gelöscht"
    r"|aktualisiert"
    r"|eingefügt|gespeichert|actualiz|elimin|insert|modific|borr|guard|modifié|supprim"
    r"|insér|mis(?:es)? à jour|enregistr)\w*|更新|削除|変更|追加|保存|删除|修改|插入",
    re.IGNORECASE,
)
_WRITE_SQL = re.compile(
    r"\s*(?:with\b[\s\S]{0,2000}?\)\s*)?(?:update|delete|insert|merge|replace|truncate"
    r"|alter|drop|create)\b",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"\b(?:no|zero|0)\s(?:\w+\s){0,3}?(?:results?|rows?|match(?:es|ing)?|records?|hits?"
    r"|entries|items|documents?|notes?)\b(?!\s(?:file|table|index|service|endpoint"
    r"|is\sa))"
    r"|\bnothing (?:was )?(?:found|matched|returned)|\b(?:returned|gave|got|found|has"
    r"|had)\s"
    r"(?:no|zero|0)\s(?:results?|rows?|records?|hits?|data|match\w*)|\bempty (?:result"
    r"|list"
    r"|set|response)\b|\bresult (?:set )?(?:is|was) empty|keine (?:\w+ )?(?:treffer"
    r"|ergebnisse)|^(?:no|0|zero)\s(?:[a-z]+\s){0,2}?(?!credential|permission|key"
    r"|setting"
    r"|token|endpoint|table|tool|config|argument|indexes)[a-z]{2,}s\s(?:were\s|was\s)?"
    r"(?:found|match\w*|returned)|sin resultados|ningún resultado|aucun résultat"
    r"|(?:結果|該当|データ)(?:は|が)?(?:"
    r"ありません|なし)|(?:没有|无)(?:找到)?(?:任何)?(?:匹配|结果|数据|记录)",
    re.IGNORECASE,
)
_NOTHING_SIGNS = (
    *("no ", "0 ", "zero ", "nothing", "empty", "keine ", "sin resultados", "ningún"),
    *("aucun", "ありません", "なし", "没有", "无"),
)
"""One of these is in every text that ``_NOTHING`` finds something in."""

_CAUSE = re.compile(
    r"\b(?:because|since|due to|refused|denied|unreachable|time[ds]?[ -]?out|invalid"
    r"|index|configured|exist|missing|permission|failed to|unable|must|required)\b"
    r"|HTTP [45]\d\d",
    re.IGNORECASE,
)
ROW_NAMES = (
    *("rows", "row_count", "rowcount", "count", "hits", "total", "results", "matches"),
    *("records", "items"),
)


def is_empty_result(value: Any) -> bool:
    """Whether a payload holds no items: ``[]``, ``""``, ``{}``, ``{"rows": []}``."""
    if not is_mapping(value):
        return value is not None and value is not False and is_empty(value)
    lists = False
    for child in value.values():
        if isinstance(child, list | tuple):
            if child:
                return False
            lists = True
    return lists or not value


def is_write(context: Context) -> bool:
    """Whether the call was to change something."""
    for value in (context.arguments or {}).values():
        if isinstance(value, str) and _WRITE_SQL.match(value[:4_000]):
            return True
    if context.contract is not None and context.contract.side_effect is not None:
        return context.contract.side_effect != "read_only" and not _is_select(context)
    return bool(context.tool) and is_reading(context, None) is False


def _is_select(context: Context) -> bool:
    values = (context.arguments or {}).values()
    return any(
        isinstance(value, str)
        and re.match(r"\s*(?:select|show|explain)\b", value, re.I)
        for value in values
    )


def tells_effect(observation: Observation) -> bool:
    """Whether an empty result of a write says what was changed."""
    payload = observation.payload
    if isinstance(payload, Mapping):
        for child in payload.values():
            if isinstance(child, int | str) and not isinstance(child, bool):
                return True
    summary = observation.summary
    return isinstance(summary, str) and _EFFECT.search(summary[:1_000]) is not None


def effect_on_record(transport: Mapping[str, Any] | None) -> int:
    """Return how many rows a write changed by its transport's record, 0 if unsaid."""
    names = ("affected", "affected_rows", "rows_affected", "rowcount", "changed")
    values = ((transport or {}).get(name) for name in names)
    return next((value for value in values if type(value) is int and value > 0), 0)


def tells_scope(observation: Observation, context: Context) -> bool:
    """Whether an empty result says what was searched."""
    payload, summary = observation.payload, observation.summary
    if isinstance(payload, Mapping) and any(map(_is_said, payload.values())):
        return True
    summary = summary[:1_000] if isinstance(summary, str) else ""
    said = summary + "\n" + _source_text(observation.source)
    if _echoes(said, context.arguments) or _QUOTED.search(summary):
        return True
    if not summary.isascii() and len(_BARE_CJK.sub("", summary)) >= 4:
        return True
    words = {word.lower() for word in _WORD.findall(summary)} - _BARE
    return len(words) >= 2 or _is_located(observation.source)


def _is_said(value: Any) -> bool:
    return value not in (0, True) and not is_empty(value) and says_something(value)


def _echoes(said: str, arguments: Mapping[str, Any] | None) -> bool:
    values = [str(v) for v in (arguments or {}).values() if isinstance(v, str | int)]
    return any(value.strip() and value[:200] in said for value in values)


def _source_text(source: Any) -> str:
    texts = (str(leaf) for _, leaf in leaves(source) if leaf is not None)
    return " ".join(texts)[:2_000]


def _is_located(source: Any) -> bool:
    """Whether a source says more than the name of a place: a filter, a query, ids."""
    if isinstance(source, Mapping):
        return sum(map(says_something, source.values())) >= 2
    text = _source_text(source)
    return len(text.split()) >= 2 or re.search(r"[?=&(#*]|\d", text) is not None


def says_nothing_found(text: str) -> bool:
    """Whether a sentence reports an empty result, and no cause of a failure."""
    head = text[:500]
    lowered = head.lower()
    if not any(sign in lowered for sign in _NOTHING_SIGNS):
        return False
    return _NOTHING.search(head) is not None and not _CAUSE.search(head)
