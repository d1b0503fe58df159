"""Markup where words or data are due: pages, error pages, raw bodies."""

from __future__ import annotations

import re

HEAD = 4_000
"""Characters from the start of a text that are looked at."""

_PAGE = re.compile(
    r"\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_XML = re.compile(r"\s*<\?xml\b|\s*<(?:[\w-]{1,20}:)?(?:Envelope|Error|Fault)\b")
_TAG = re.compile(
    r"</?(?:html|head|body|title|center|div|h[1-6]|p|hr|br|table|tr|td|span|script"
    r"|style"
    r"|meta|pre|ul|li|address|iframe|form)\b[^<>]{0,200}>|<!doctype\b",
    re.IGNORECASE,
)
_FRAME = re.compile(r"<(?:!doctype\s+html|html|head|body|title)\b", re.IGNORECASE)
_TITLE = re.compile(
    r"<(title|h1|h2)\b[^>]{0,200}>(.{0,300}?)</\1", re.IGNORECASE | re.DOTALL
)
_FAULT = re.compile(
    r"<(?:[\w-]{1,20}:)?(?:Error|Fault|faultstring|faultcode)\b", re.IGNORECASE
)
_ERROR_TITLE = re.compile(
    r"^\W*(?:(?:http|error|status|code)\W*){0,3}[45]\d\d\b(?!\W*(?:page|ways|things|%))"
    r"|\b[45]\d\d\W{1,3}(?:error|bad|not|forbidden|internal|service|gateway"
    r"|unauthori[sz]"
    r"|too many|request|access|proxy|client|server)"
    r"|^\W*(?:an?\s)?(?:server|proxy|application|gateway|web|http|network|connection"
    r"|runtime|unexpected|internal)?\s?error(?:\s(?:page|occurred|\d{3})|\s?[:!.|-]"
    r"|\W*$)"
    r"|bad gateway|gateway time-?out|service (?:is )?(?:temporarily )?unavailable"
    r"|internal server error|^\W*(?:access|permission) (?:is |was )?denied"
    r"|^\W*forbidden"
    r"|^\W*(?:page |file |resource )?not found|too many requests|attention required"
    r"|just a moment|under maintenance|rate limit(?:ed)? |request blocked|are you "
    r"(?:a )?"
    r"(?:human|robot)|captcha|^\W*(?:please )?(?:sign|log) ?in\b|^\W*anmeld\w*\W*$"
    r"|^\W*(?:fehler|wartung|erreur|エラー|错误)",
    re.IGNORECASE,
)
_GATEWAY = re.compile(
    r"\b(?:nginx|cloudflare|varnish|haproxy|apache|envoy|squid|akamai|edge|traefik)"
    r"(?:/\d|\b)|bad gateway|gateway time-?out|service unavailable|ray id",
    re.IGNORECASE,
)
_BODY = re.compile(r"\s*(?:b?['\"])?\s*[{\[]\s*(?:['\"\\]|[{\[\]}])")
_LABELLED = re.compile(r"\s*HTTP/\d(?:\.\d)? \d{3}\b[^\n]{0,80}\n[\w-]+:")


def is_page(text: str) -> bool:
    """Whether a text as a whole is an HTML page or an XML document."""
    head = text[:HEAD]
    if "<" not in head:
        return False
    return _PAGE.match(head) is not None or _XML.match(head) is not None


def holds_page(text: str) -> bool:
    """Whether markup stands in a text: parts of a page, not a lone tag."""
    head = text[:HEAD]
    if "<" not in head:
        return False
    if _FRAME.search(head) or _XML.match(head):
        return True
    found = (match[0] for match, _ in zip(_TAG.finditer(head), range(20), strict=False))
    return len({tag.lower().strip("</>") for tag in found}) >= 3


def is_error_page(text: str) -> bool:
    """Whether a page tells of an error: by its title or heading, or as a fault."""
    head = text[:HEAD]
    if not is_page(head):
        return False
    titles = [match[2] for match in _TITLE.finditer(head)]
    if any(
        _ERROR_TITLE.search(re.sub(r"<[^>]*>", " ", title).strip()) for title in titles
    ):
        return True
    if _XML.match(head):
        return _FAULT.search(head) is not None
    return not titles and _GATEWAY.search(head) is not None


def is_raw_body(text: str) -> bool:
    """Whether a text is an upstream body as it came: JSON, or a whole HTTP message."""
    head = text[:HEAD]
    return _BODY.match(head) is not None or _LABELLED.match(head) is not None
