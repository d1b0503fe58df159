"""Sentences that tell of a failure, by how they begin.

Only the beginning counts: "Error: link down" is one, "3 builds failed this week" and
"Error handling in Rust" are not. What is told in a long text is told by a document.
"""

from __future__ import annotations

import re

LENGTH = 1_500
"""Characters beyond which a text is a document, not a sentence."""

LINES = 15

_LEAD = re.compile(r"[\s\W_]{0,12}")
_KIND = (
    r"(?:fatal|critical|internal|unexpected|unhandled|unknown|runtime|database|db|sql"
    r"|network|server|connection|api|http|https|validation|request|system|tool|upstream"
    r"|client|service|execution|permission|auth\w{0,16}|input|query|parse|parsing"
    r"|syntax|i/o|io|os|tls|ssl|dns|socket|proxy|gateway|timeout|backend|remote)"
)
_WHAT = (
    r"(?:connection|network|socket|request|operation|query|call|gateway|read|write"
    r"|server|service|host|upstream|tool|lookup|search|fetch|download|upload|api)"
)
_STRONG = re.compile(
    rf"(?:{_KIND}\s){{0,4}}(?:error|exception|failure)s?\b"
    r"(?:\s?[:(\[\u2013\u2014-]|\]|\s(?:\d{1,6}\b|code\b|executing|calling|running"
    r"|while|during|occurred|fetching|reading|writing|connecting|processing"
    r"|from\s(?!the"
    r"\slog)|invoking|querying|when\b|with\b|sending|loading|opening|parsing)"
    r"|\s?[.!]?\s*$)"
    r"|an?\s(?:\w+\s){0,3}(?:error|exception)\s(?:has\s)?(?:occurred|was|happened)"
    r"|(?:the\s)?(?:\w+\s){0,4}(?:failed|was unable) to\s(?!find\b|match\b)\w+"
    r"|(?:i\s|we\s)?(?:could not|couldn't|unable to|cannot|can't)\s(?!find\b|be found"
    r"|locate\b|match\b)\w+"
    r"|(?:request|call|tool|operation|command|query|connection|upload|download|fetch"
    r"|search|execution)\s(?:\w+\s)?failed\b"
    r"|(?:http\s?)?(?:status\s)?(?:code\s)?[45]\d\d\s?[:\u2013-]?\s?(?:bad\s|gateway"
    r"|inter"
    r"nal|service|server|not\s|forbidden|unauthor|too\smany|request|error|client|proxy)"
    r"|http\s(?:status\s)?[45]\d\d\b"
    r"|(?:access|permission)\s(?:is\s|was\s)?denied|unauthori[sz]ed\b|forbidden\s?[:.]"
    rf"|(?:the\s)?(?:{_WHAT}\s){{1,3}}(?:was\s|has\s|is\s)?(?:refused|reset|lost|timed"
    r"\sout|time-?out|closed|aborted|unreachable|unavailable|overloaded)"
    r"|timed?[\s-]?out\s?(?:[:.!]|after|while|waiting|exceeded|$)"
    r"|internal server error|bad gateway|service (?:is )?(?:temporarily )?unavailable"
    r"|too many requests|(?:rate|quota)\s?(?:limit)?\s?(?:was\s)?exceeded"
    r"|(?:fatal|panic|exception|traceback|abort(?:ed)?)\s?[:(]"
    r"|traceback \(most recent"
    r"|invalid\s(?:api\s?key|token|credentials?|argument|parameter|request)s?\s?[:.!]"
    r"|no such (?:file|table|column|host|command|tool)\b"
    r"|fehler\b(?:\s?[:(\u2013-]|\s(?:beim|bei|\d))|konnte\s(?:\w+\s)?nicht"
    r"|zugriff verweigert|zeitüberschreitung"
    r"|error\s(?:al|de|en|interno)\b|no se pudo|no fue posible|acceso denegado"
    r"|tiempo de espera agotado|erreur\b(?:\s?[:(\u2013-]|\s(?:lors|de|interne|\d))"
    r"|échec\s(?:de|du|lors)|impossible d|accès refusé|erro\b\s?[:(]|falha a[o\s]"
    r"|não foi possível|errore\b\s?[:(]|fout\b\s?[:(]|ошибка|не удалось"
    r"|(?:接続|通信|内部|致命的な?|実行|認証)?エラー|例外|(?:\S{1,20})?(?:失敗しました"
    r"|できませんで"
    r"した)|(?:请求|连接|系统|内部|网络|服务器?|执行|数据库)?(?:错误|失败|异常|超时)"
    r"|无法(?!找到)|拒绝访问|오류|실패",
    re.IGNORECASE,
)
_CLASS = re.compile(
    r"(?:[A-Za-z_]\w{0,40}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception|Fault|Timeout)\s?[:(]"
)


def is_error_sentence(text: str) -> bool:
    """Whether a text as a whole tells of a failure."""
    if len(text) > LENGTH or text.count("\n") > LINES:
        return False
    start = _LEAD.match(text)
    at = start.end() if start else 0
    return _STRONG.match(text, at) is not None or _CLASS.match(text, at) is not None
