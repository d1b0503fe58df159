"""Which names promise a secret, and which values under them are none."""

from __future__ import annotations

import re
from functools import lru_cache

_NAME = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PASSWORDS = frozenset(("password", "passwd", "pwd", "passphrase"))
_SECRET_NAMES = _PASSWORDS | frozenset(
    ("token", "secret", "apikey", "authorization", "cookie", "credentials")
)
_SECRET_PAIRS = frozenset(
    f"{kind} key"
    for kind in ("api", "access", "secret", "private", "signing", "encryption", "auth")
) | {"password hash", "x apikey"}
# max_token counts, next_page_token turns pages, eos_token is a word of a vocabulary.
_HARMLESS_TOKENS = frozenset(
    {
        *("max", "min", "per", "num", "total", "first", "last", "page", "cursor"),
        *("next", "prev", "previous", "continuation", "sync", "special", "mask"),
        *("eos", "bos", "pad", "unk", "stop", "start", "end"),
    }
)
ENVIRONMENT_ENDS = (["key"], ["pat"], ["auth"])

PLAIN_VALUE = re.compile(
    r"""(?ix) \s* | true | false | none | null | nil | undefined | yes | no | on | off
    | n/?a | unknown | required | optional | missing | invalid | expired | redacted
    | -?[0-9.]{1,5} | \[redacted.*\] | (?:\*|x|•|\.|-|_)+ | <.*> | \$\w+ | \$\{.*\}
    | \{\{.*\}\} | %\w+% | [~.]{0,2} (?-i:(?:/[a-z0-9._-]+)+ ) """,
    re.DOTALL,
)
_WORDS = re.compile(r"[a-z]+(?: [a-z]+)*[.!]?")


@lru_cache(maxsize=1024)
def is_secret_name(name: str) -> bool:
    """Whether a key, header or variable of this name holds a secret."""
    words = name_words(name)
    if not words or "[REDACTED:" in name:
        return False
    pair = " ".join(words[-2:])
    if words[-1] == "token" and len(words) > 1 and words[-2] in _HARMLESS_TOKENS:
        return False
    return words[-1] in _SECRET_NAMES or pair in _SECRET_PAIRS


def name_words(name: str) -> list[str]:
    """Split a name at its separators and humps; a number at the end is left out."""
    words = [word.lower() for word in _NAME.findall(name[-200:])]
    while words and words[-1].isdigit():
        words.pop()
    return words


def is_harmless(text: str, name: str) -> bool:
    """Whether a value under a secret name is none: a word, a flag, a placeholder."""
    if PLAIN_VALUE.fullmatch(text):
        return True
    is_word = len(text) <= 40 and _WORDS.fullmatch(text) is not None
    return is_word and not any(word in name.lower() for word in _PASSWORDS)
