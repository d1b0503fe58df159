"""Whose words a text holds, and in which language: made ready for the tables.

Forwarded service text ("Service detail: …") and quotations are blanked out: they
are data and never count as remedy or stop (SYS-003 §3). Latin-script languages are
told apart by their common words, Japanese and Chinese by their script; anything
else has no table, and wording then settles nothing.
"""

from __future__ import annotations

import re
import unicodedata

from ..lazy import lazy
from .chinese import CHINESE
from .english import ENGLISH
from .french import FRENCH
from .german import GERMAN
from .japanese import JAPANESE
from .spanish import SPANISH
from .table import Language, words

TEXT_LIMIT = 4_000
"""Characters of one text that are judged; a remedy further on helps nobody."""

LATIN = (ENGLISH, GERMAN, SPANISH, FRENCH)

OTHERS = words(
    "não você em uma ao os tente novamente pare serviço usuário contacte falhar "
    "che riprova riprovare fermati avvisa più tardi volta errore servizio het een "
    "niet opnieuw probeer naar meld dienst gebruiker ook daarna och inte att "
    "försök igen ikke og prøv igjen jeg det ved på til för nie spróbuj ponownie "
    "jest się lub później w zatrzymaj zgłoś błąd usługa tekrar lütfen deneyin bir "
    "coba lagi nanti silakan tidak jika zkus znovu prosím chyba není yritä "
    "uudelleen próbálja újra és "
)
"""Words of languages without a table, so that they are not taken for one that has."""

_WORD = lazy(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_KANA = lazy(r"[\u3041-\u30ff]")
_HAN = lazy(r"[\u4e00-\u9fff]")
_CODE = lazy(r"\S{0,99}[/\\=<>{}$@.]\S+|\B--?[a-z]\S*")
_FORWARDED = lazy(
    r"(?:^|(?<=[\s.;(\[]))(?:"
    r"(?:(?:the|raw|from) )?(?:service|server|upstream|response|remote|backend|api"
    r"|peer|raw"
    r"|http|provider|vendor|gateway|proxy|client|exception|peer's)['s]*[ -]"
    r"(?:error )?(?:detail|body|message|response|said|says|sent|replied|reply"
    r"|answer(?:ed)?"
    r"|returned|output|text|error|log)s?"
    r"|detail|body|stderr|stdout|upstream|quote[d]?|response|(?:er|sie|it"
    r"|they) (?:said|says)"
    r"|(?:dienst|server|antwort|fehler)-?(?:antwort|meldung|detail|text|body)s?"
    r"|antwort (?:des|vom) \w+|meldung (?:des|vom) \w+"
    r"|(?:detalle|mensaje|respuesta|cuerpo) del? (?:la )?\w+"
    r"|(?:détail|message|réponse|corps) d(?:u|e la|e l'\w+)(?: \w+)?"
    r"|(?:サービス|サーバー?|api|上流|外部)(?:から)?の?(?:応答|レスポンス|メッセージ"
    r"|返答|詳細|返信)|応答本文|レスポンス本文"
    r"|(?:服务|服务器|接口|上游|对方)(?:端)?的?(?:返回|消息|响应|信息|回复"
    r"|详情)(?:内容)?|响应内容|返回内容"
    r")\s*(?:was|is|war|lautet|était|fue)?\s*:[ \t]*",
    re.MULTILINE,
)
_QUOTED = lazy(
    r"(?<![\w])'[^'\n]{1,300}'(?!\w)|\"[^\"\n]{1,300}\"|`[^`\n]{1,300}`"
    r"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»|「[^」\n]{1,300}」"
    r"|『[^』\n]{1,300}』"
)
_QUOTES = frozenset("'\"`“„«「『")
_CLOSERS = {
    "{": "}",
    "[": "]",
    '"': '"',
    "'": "'",
    "“": "”",
    "「": "」",
    "«": "»",
    "`": "`",
}


def normalise(text: str) -> str:
    """Lower the case, straighten apostrophes, make full-width characters half-width."""
    text = text[:TEXT_LIMIT]
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)[:TEXT_LIMIT]
        text = text.replace("\u2019", "'")
    return text.lower()


def own_words(text: str) -> str:
    """Blank out what the tool only passes on; expects normalised text."""
    stripped = text.strip()
    if stripped[:1] in _QUOTES and _QUOTED.fullmatch(stripped):
        text = stripped[1:-1]
    if ":" in text:
        text = _drop_forwarded(text)
    return _QUOTED.sub("'…'", text) if not _QUOTES.isdisjoint(text) else text


def _drop_forwarded(text: str) -> str:
    kept: list[str] = []
    position = 0
    for match in _FORWARDED.finditer(text):
        if match.start() < position:
            continue
        kept.append(text[position : match.start()])
        kept.append(" … ")
        position = _end_of_forwarded(text, match.end())
    return "".join(kept) + text[position:] if kept else text


def _end_of_forwarded(text: str, start: int) -> int:
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    closer = _CLOSERS.get(text[start : start + 1])
    if closer is None:
        return line_end
    find = text.rfind if closer in "}]" else text.find
    end = find(closer, start + 1, line_end)
    return line_end if end < 0 else end + 1


def languages(text: str) -> tuple[Language, ...] | None:
    """Return the tables that may read a text.

    Returns:
        The languages; an empty tuple where the text is in none of them; ``None``
        where it is no prose at all (code, numbers, nothing).
    """
    if not text.isascii():
        if _KANA.search(text):
            return (JAPANESE,)
        if _HAN.search(text):
            return (CHINESE, JAPANESE)
    found = frozenset(_WORD.findall(text.replace("_", " "))[:300])
    if not found:
        return None
    scores = [len(found & one.words) for one in LATIN]
    best = max(scores)
    known = len(found & OTHERS)
    if best == 0 or known >= best or best < 0.15 * len(found):
        return () if _is_prose(text) else None
    return tuple(
        one
        for one, score in zip(LATIN, scores, strict=True)
        if score * 2 > best or score >= 4
    )


def _is_prose(text: str) -> bool:
    head = text[:400]
    return len(_WORD.findall(_CODE.sub(" ", head))) >= 2 or not head.isascii()
