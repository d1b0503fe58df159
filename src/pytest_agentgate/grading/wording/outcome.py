"""What kind of failure a result tells of: worth a retry, hopeless, of unknown outcome.

Judged from the transport record first, then from the texts. Where both kinds are
found, neither is said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from ..lazy import lazy

Kind = Literal["transient", "permanent", "unclear"]

TRANSIENT_STATUS = frozenset({408, 425, 429, 502, 503, 504, 529})
PERMANENT_STATUS = frozenset({400, 401, 403, 404, 405, 410, 413, 415, 422, 501})

_STATUS = lazy(
    r"\b(?:http|status|code|error|returned|answered|with)(?: status| code)?[ :/]{1,2}"
    r"([45]\d\d)\b|^([45]\d\d)\b(?=[: ])",
    re.IGNORECASE | re.MULTILINE,
)
_TRANSIENT = lazy(
    r"\btime(?:d)?[ -]?out\b|\brate[ -]?limit|too many requests|network (?:is "
    r"|request |error"
    r"|fail|unreach)|\b(?:host|service|server|network|endpoint|api|upstream) (?:is "
    r"|was )?"
    r"(?:temporarily |currently )?(?:unreachable|unavailable|overloaded|busy|down)"
    r"|connection (?:was )?(?:refused|reset|lost|dropped|closed|aborted|timed)"
    r"|temporar(?:y|ily)|overload|throttl|disconnected|no (?:answer|response) (?:in"
    r"|within)"
    r"|zeitüberschreitung|nicht erreichbar|tiempo de espera agotado"
    r"|délai (?:d'attente )?"
    r"dépassé|タイムアウト|超时|限流|トラフィック制限|請求過多|请求过于频繁",
    re.IGNORECASE,
)
_PERMANENT = lazy(
    r"permission denied|access denied|\bforbidden\b|unauthori[sz]ed|unauthenticated"
    r"|not (?:permitted|allowed|authori[sz]ed)|\bnot found\b|does not exist|no such\b"
    r"|\bunknown (?:tool|parameter|argument|field|id|user|key|column|table)"
    r"|\bunsupported\b|\binvalid (?!response|json|body|reply|upstream|answer"
    r"|payload from)"
    r"|\bmalformed (?!response|json|body)|validation (?:error|failed)"
    r"|missing (?:required|argument|parameter|field)|\bmust be (?:an?|one|between|at)\b"
    r"|zugriff verweigert|nicht gefunden|ungültig|permiso denegado|no (?:encontrad"
    r"|existe)"
    r"|accès refusé|introuvable|権限がありません|見つかりません|权限不足|未找到|不存在",
    re.IGNORECASE,
)
_DNS = lazy(r"(?:host|dns|name)[^.\n]{0,20}not found", re.IGNORECASE)
_UNKNOWN_OUTCOME = lazy(
    r"\btime(?:d)?[ -]?out\b|connection (?:was )?(?:lost|reset|dropped|closed|aborted)"
    r"|disconnected|no (?:answer|response|reply)|may have (?:gone|been|succeeded)"
    r"|might have|outcome (?:is )?unknown|unknown outcome|unclear whether"
    r"|not known whether"
    r"|(?:http|status|code|returned|answered)[ :]{1,2}5\d\d|\b5\d\d (?:error|bad"
    r"|gateway"
    r"|internal|service)|internal server error|bad gateway|gateway time"
    r"|zeitüberschreitung"
    r"|verbindung (?:verloren|unterbrochen|abgebrochen)|tiempo de espera|délai"
    r"|conexión (?:perdida|interrumpida)|connexion (?:perdue|interrompue)|タイムアウト"
    r"|切断|超时|连接(?:中断|断开)",
    re.IGNORECASE,
)
_KNOWN_OUTCOME = lazy(
    r"\b(?:nothing|no \w+) (?:was|has been|were) (?:charged|sent|queued|written|created"
    r"|changed|deleted|booked|stored|saved|done|submitted|executed|made|paid)"
    r"|\bwas not (?:sent|executed|charged|queued|created|written|accepted)"
    r"|before (?:it was"
    r"|anything was|the request was) sent|rolled back|connection (?:was )?refused"
    r"|could not connect|nicht (?:gesendet|ausgeführt)|no se (?:envió|ejecutó)",
    re.IGNORECASE,
)
_REPEATS = lazy(
    r"\b(?:re-?try|try (?:it |this )?again|repeat|re-?send|re-?submit|re-?run"
    r"|send (?:it|the"
    r" \w+) again|call (?:it|\w+) again|once more|do it again)\b|wiederhol"
    r"|erneut (?:senden"
    r"|versuchen|ausführen|aufrufen)|noch ?mals? (?:senden|versuchen)|reintent|repit"
    r"|repet"
    r"|vuelv\w+ a (?:enviar|intentar|llamar)|inténtel?o de nuevo|réessay|recommenc"
    r"|renvoy"
    r"|relanc|再試行|再実行|再送|もう一度|リトライ|重试|再试|重新(?:发送|提交|调用"
    r"|执行)|重发",
    re.IGNORECASE,
)
_NOT_REPEATED = lazy(
    r"\b(?:do not|don't|never|must not|not|no|without|rather than|instead of"
    r"|avoid)\s+(?:\w+"
    r"\s+){0,2}?(?:re-?try\w*|repeat\w*|re-?send\w*|re-?submit\w*|re-?run\w*"
    r"|try\w* again"
    r"|retries)|(?:nicht|keine?)\s+(?:\w+\s+)?(?:wiederhol\w*|erneut \w+)|\bno (?:lo "
    r"|la )?"
    r"(?:reintent|repit|vuelva)\w*|\bne (?:pas )?(?:réessay|recommenc|renvoy"
    r"|relanc)\w*(?: pas)?"
    r"|(?:再試行|再実行|再送)(?:し|せ)(?:な|ず)\S*|(?:不要|请勿|切勿|别|不得"
    r"|勿)(?:再)?(?:重试|再试|重复|重发"
    r"|重新\S\S)",
    re.IGNORECASE,
)
_GUARDED = lazy(
    r"idempoten|same (?:key|request[ _-]?id|token|id)|request[_ -]id|\bkey\b|dedup"
    r"|safe to"
    r" (?:repeat|retry|resend)|no duplica|(?:will |does )not (?:be )?(?:duplicat"
    r"|appl\w+ twice)"
    r"|\b(?:check|verify|look up|look for|confirm|find out|inspect|query|see (?:if"
    r"|whether)"
    r"|make sure|first (?:read|get|list)|list|read|get_\w+|list_\w+|find_\w+)\b"
    r"|(?:nur |erst )?"
    r"(?:prüf|nachseh|vergewisser|kontrollier)|derselben|gleichen schlüssel|comprueb"
    r"|verifi"
    r"|revis|misma clave|vérifi|contrôl|même clé|確認|調べ|同じキー|冪等|检查|确认"
    r"|核对|查询|幂等|相同的?键",
    re.IGNORECASE,
)


def http_status(transport: Mapping[str, Any] | None, text: str) -> int | None:
    """Return the HTTP status on record, else the one the text tells of."""
    recorded = (transport or {}).get("http_status")
    if isinstance(recorded, int) and not isinstance(recorded, bool):
        return recorded
    match = _STATUS.search(text)
    return int(match[1] or match[2]) if match else None


def kind_of_failure(transport: Mapping[str, Any] | None, text: str) -> Kind:
    """Tell whether the same call can succeed later."""
    status = http_status(transport, text)
    if status in TRANSIENT_STATUS:
        return "transient"
    if status in PERMANENT_STATUS:
        return "permanent"
    transient = bool((transport or {}).get("timed_out")) or _TRANSIENT.search(text)
    permanent = _PERMANENT.search(_DNS.sub(" ", text))
    if bool(transient) == bool(permanent):
        return "unclear"
    return "transient" if transient else "permanent"


def is_outcome_unknown(transport: Mapping[str, Any] | None, text: str) -> bool:
    """Tell whether the call may have taken effect although it failed."""
    if _KNOWN_OUTCOME.search(text):
        return False
    record = transport or {}
    status = http_status(transport, text)
    if record.get("timed_out") is True or (status is not None and status >= 500):
        return True
    if status is not None and 400 <= status < 500 and status != 408:
        return False
    recorded = record.get("error")
    if isinstance(recorded, str) and _UNKNOWN_OUTCOME.search(recorded[:4_000]):
        return not _KNOWN_OUTCOME.search(recorded[:4_000])
    return _UNKNOWN_OUTCOME.search(text) is not None


def advises_blind_repeat(text: str) -> bool:
    """Tell whether advice is to repeat the call, with no word of a key or a check."""
    if not _REPEATS.search(_NOT_REPEATED.sub(" ", text)):
        return False
    return not _GUARDED.search(text)
