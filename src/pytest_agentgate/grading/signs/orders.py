"""Orders to the model inside retrieved text, and what marks such text as data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .walk import nodes

HEAD = 50_000
"""Characters of one text that are looked at."""

_EARLIER = r"(?:previous|prior|above|earlier|preceding|foregoing|initial)"
_RULES = r"(?:instruction|rule|prompt|direction|guideline|command|polic|restriction)"
_MACHINE = (
    r"(?:ai(?:\s(?:agent|assistant|model|system|tool)s?)?|llms?|(?:large )?language "
    r"models?"
    r"|assistants?|chat ?bots?|gpt\S{0,6}|claude|copilot|gemini)"
)
_DOES = (
    r"(?:send|forward|e?mail|ignore|disregard|delete|remove|reveal|post|upload|transfer"
    r"|execute|run|call|fetch|visit|open|click|reply|respond|answer|say|output|print"
    r"|include|append|write|approve|recommend|insert|exfiltrate|leak|use|read|rate"
    r"|rank)"
)
_ORDER = re.compile(
    r"\b(?:ignor(?:e|ing)|disregard|forget|override|bypass)\s(?:\w+\s){0,4}?(?:"
    rf"{_EARLIER}\s(?:\w+\s){{0,2}}?{_RULES}"
    r"|(?:system|developer|original|other|existing)\s(?:instruction|prompt)"
    r"|your\s(?:\w+\s){0,2}?(?:instruction|rule|prompt|guideline|training|polic)"
    r"|(?:all|any)\s(?:of\s)?(?:the\s|these\s|those\s)?(?:instruction|prompt|guideline)"
    r"|(?:everything|anything|all)\s(?:\w+\s){0,3}?(?:above|before this|earlier|you "
    r"(?:we"
    r"re|have been|know)))"
    r"|<\|(?:im_start|system|assistant|developer)\|>|\[/?inst\]|<<sys>>"
    r"|\bnew\s(?:system\s)?instructions?\s?:"
    r"|\byou are (?:now|no longer)\s(?:an?\s|in\s(?:\w+\s)?mode|bound|acting|operating"
    r"|dan\b)"
    rf"|\b(?:the|any|every|all)\s{_MACHINE}\s(?:must|should|shall|has to|needs "
    rf"to)\s(?:now\s"
    rf"|then\s|immediately\s|also\s)?{_DOES}\b"
    r"|\b(?:do not|don't|never)\s(?:tell|inform|notify|alert|warn)\s(?:the"
    r"|your)\s(?:user|"
    r"human|operator|owner)\b|\bwithout\s(?:telling|informing|notifying"
    r"|alerting)\s(?:the"
    r"|your)\s(?:user|human|operator|owner)\b"
    r"|\b(?:do not|don't|never) mention (?:this|it|that) to (?:the|your)\s(?:user"
    r"|human)"
    r"|\b(?:reveal|print|output|repeat|show|send|leak|disclose"
    r"|exfiltrate)\s(?:\w+\s){0,3}?"
    r"(?:system prompt\b|your (?:initial |system |hidden )?(?:instructions|prompt)\b)"
    r"|\bignorier\w*\s(?:\w+\s){0,4}?(?:anweisung|regel|vorgabe|instruktion)"
    r"|\bvergiss\s(?:\w+\s){0,4}?(?:anweisung|regel|vorgabe)"
    r"|\b(?:ignora|ignore|olvida|olvide)\w*\s(?:\w+\s){0,4}?(?:instrucciones"
    r"|indicaciones)"
    r"|\b(?:ignore|ignorez|oublie|oubliez)\s(?:\w+\s){0,4}?(?:instructions|consignes)"
    r"|\bignor\w+\s(?:\w+\s){0,4}?(?:istruzioni|instruções)"
    r"|(?:指示|命令|ルール|プロンプト)(?:を|は)\S{0,6}?(?:無視|忘れ|破棄)"
    r"|(?:忽略|无视|忘记|不要理会)\S{0,12}?(?:指令|指示|规则|提示|命令|要求)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"(?:^|[\n.!?>)\]]\s{0,4})(?:system|developer|admin(?:istrator)?"
    r"|operator)(?:\s(?:mess"
    r"age|prompt|note|override|instruction|update|notice)s?)?\s?:"
    r"|<(?:system|developer|instructions?|admin)>"
    rf"|\b(?:note|message|attention|instructions?|important|hello|hey|hi|dear"
    rf"|for)\b\W{{0,3}}"
    rf"(?:to\s|for\s)?(?:any\s|all\s|the\s|every\s)?{_MACHINE}\b"
    rf"|\b{_MACHINE}\s(?:reading|processing|parsing|summari[sz]ing|that reads?|who "
    rf"reads?"
    r"|seeing|reviewing)\s"
    rf"|\b(?:if you are|as)\s(?:an?\s)?{_MACHINE}\b",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    rf"\b(?:please|must|should|shall|now|you (?:will|are)|do not|don't|never|always"
    rf"|then)"
    rf"\W{{1,3}}(?:\w+\s){{0,2}}?{_DOES}\b|(?:^|[:.,;!\n>]\s{{0,3}}|\band\s){_DOES}\s",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|„[^“”\n]{1,400}[“”]|«[^»\n]{1,400}»"
    r"|‘[^’\n]{1,400}’|(?<!\w)'[^'\n]{1,400}'(?!\w)|「[^」\n]{1,400}」"
    r"|『[^』\n]{1,400}』"
    r"|`[^`\n]{1,400}`|^[ \t]{0,3}>[^\n]*$|^```[^\n]*\n[\s\S]{0,4000}?^```",
    re.MULTILINE,
)
_TOLD = re.compile(
    r"\b(?:attack\w*|inject\w*|jailbreak\w*|phrases?|examples?|e\.g|such as|for "
    r"instance"
    r"|says?|said|writes?|wrote|strings?|payloads?|hidden text|classic|known as|called"
    r"|titled|quot\w+|instructs?|tells?|trick\w*|beispiel|angriff|ejemplo|ataque"
    r"|exemple"
    r"|attaque)\b[^.\n]{0,60}$|(?:例|攻撃|攻击)[^。\n]{0,30}$",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"untrusted|not\W{1,3}trusted|external[ _-]content|third[ _-]party[ _-](?:content"
    r"|text)"
    r"|(?:treat|handle|read)\w*\s(?:\w+\s){0,4}?as\s(?:\w+\s)?(?:data|text|quot)"
    r"|(?:is|are|as) data,? not|not (?:as )?instructions|(?:do not|don't|never) "
    r"(?:follow"
    r"|obey|act on|execute)|nicht vertrauenswürdig|no confiable|non fiable"
    r"|信頼できない|信頼されていない|不可信|不受信任",
    re.IGNORECASE,
)
_FENCE = re.compile(
    r"\s*(?:[^\n<\[]{0,200}\n\s*)?(?P<open><(?P<tag>[A-Za-z][\w:-]{0,60})(?P<rest>[^<>"
    r"\n]"
    r"{0,200})>|(?P<ruler>(?:[-=#~*<]{3,}|\[)[^\n]{0,80}?(?:begin|start)[^\n]{0,80})\n"
    r"|(?P<ticks>`{3,}|~{3,})[^\n]{0,40}\n)",
    re.IGNORECASE,
)
_DATA_TAG = re.compile(
    r"untrusted|external|retriev|document|data|content|search|result|quot|page|web|tool"
    r"|source|passage|chunk|context|input|text|file|email|message|user",
    re.IGNORECASE,
)
_CLOSER = re.compile(
    r"</\s{0,3}(?:untrusted|external|retriev|document|data|content|search|tool|quot"
    r"|passage"
    r"|context|input|user)[\w:-]{0,60}\s{0,3}>",
    re.IGNORECASE,
)
_INVISIBLE = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]")


def order_in(text: str) -> str:
    """Return an order to the model in a text, ``""`` where there is none.

    Orders in quotation marks, code and block quotes are told of, not given; so are
    those that follow such words as "an attack like".
    """
    plain = _INVISIBLE.sub("", text[:HEAD])
    if len(plain) > 40:
        plain = _QUOTED.sub(lambda match: "'" + " " * (len(match[0]) - 2) + "'", plain)
    for match in _ORDER.finditer(plain):
        if not _is_told(plain, match.start()):
            return _excerpt(plain, match)
    for match in _ADDRESS.finditer(plain):
        said = plain[match.end() : match.end() + 160].lstrip()
        if _COMMAND.search(said) and not _is_told(plain, match.start()):
            return _excerpt(plain, match)
    return ""


def _is_told(text: str, place: int) -> bool:
    return _TOLD.search(text[max(0, place - 90) : place]) is not None


def _excerpt(text: str, match: re.Match[str]) -> str:
    return " ".join(text[match.start() : match.end() + 80].split())


def fenced(text: str) -> tuple[str, str]:
    """Split a text into what stands inside a fence and what outside.

    The fence is the one that the text opens with. It holds up to its last closing
    mark; a text that closes it earlier, or closes one that was never opened, has
    broken out, and nothing in it counts as fenced.
    """
    head = text[:HEAD]
    match = _FENCE.match(head)
    closers = len(_CLOSER.findall(head))
    if match is None:
        return "", text
    closer = _closing(match)
    if closer is None or head.count(closer) != 1 or closers > closer.startswith("</"):
        return "", text
    inside, _, after = head[match.end() :].partition(closer)
    return inside, head[: match.start("open" if match["tag"] else 0)] + after


def _closing(match: re.Match[str]) -> str | None:
    if match["tag"]:
        is_data = _DATA_TAG.search(match["tag"]) is not None
        return f"</{match['tag']}>" if is_data else None
    if match["ticks"]:
        return "\n" + match["ticks"]
    ruler = match["ruler"]
    for start, end in (("BEGIN", "END"), ("Begin", "End"), ("begin", "end")):
        if start in ruler:
            return ruler.replace(start, end).strip()
    for start, end in (("START", "END"), ("Start", "End"), ("start", "end")):
        if start in ruler:
            return ruler.replace(start, end).strip()
    return None


def is_marked(value: Any, limit: int = 2_000) -> bool:
    """Whether fields beside a text say that it is data: a flag, or a word on trust."""
    for _, key, node in nodes(value, limit):
        if isinstance(node, str) and len(node) <= 300 and _says_mark(key, node):
            return True
        if node is True and re.search(r"untrusted|external", key, re.IGNORECASE):
            return True
        if node is False and re.search(r"trusted", key, re.IGNORECASE):
            return True
    return False


def _says_mark(key: str, text: str) -> bool:
    if re.search(r"trust|provenance|origin|kind|class|type|label", key, re.IGNORECASE):
        return re.search(r"untrusted|external|retrieved", text, re.I) is not None
    is_note = re.search(r"note|notice|warning|handling|summary", key, re.IGNORECASE)
    return is_note is not None and says_data(text)


def says_data(text: str) -> bool:
    """Whether the tool's own sentence says that what it retrieved is data."""
    return _MARK.search(text[:2_000]) is not None


def unfenced(text: str) -> Iterator[str]:
    """Yield the parts of a text that no fence holds."""
    inside, outside = fenced(text)
    if not inside or outside.strip():
        yield outside
