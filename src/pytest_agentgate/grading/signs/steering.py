"""Words in a tool's description that reach beyond the tool.

In retrieved text they would be harmless; a description is obeyed in every
conversation, whether its tool is called or not.
"""

from __future__ import annotations

import re

_THIS = r"(?:this(?:\s(?:tool|function|one))?|it)"
# "... any other tool of this server" and "... when a path is given" are advice.
_OTHERS = (
    r"(?:any|all|every)\s(?:of\s)?(?:the\s)?other\s(?:tool|function)s?\b"
    r"(?!\s(?:of|in|from|for|named|called|that|which|when|if)\b)"
)
_PRIVATE = r"(?:~/\.|\.ssh\b|\bid_rsa\b|/etc/(?:passwd|shadow)\b|\bmcp\.json\b)"
_STEERING = re.compile(
    rf"\b(?:before|instead of|rather than)\s(?:(?:you\s)?(?:us|call|invok|try)\w*\s)?"
    rf"{_OTHERS}"
    rf"|\b(?:supersedes?|overrides?|replaces?|takes? precedence over)\s{_OTHERS}"
    rf"|\balways\s(?:call|use|run|invoke)\s{_THIS}\sfirst\s*(?=[.!]|$)"
    rf"|\b(?:always|must)\s(?:be\s)?(?:call|us|run|invok)\w*\s(?:{_THIS}\s)?"
    r"(?:for|on|in|with)\s(?:any|all|every|each)\s(?:single\s)?"
    r"(?:request|message|turn|conversation|answer|reply|prompt)s?"
    r"(?=\s*(?:[.,;:!]|$)|\s(?:from|of) the user)"
    r"|\b(?:do not|don't|never|without)\s(?:ever\s)?mention(?:ing)?\s"
    r"(?:that\syou\b|(?:this|these)\s(?:instruction|step|tool|file|rule))"
    rf"|\bread\b[^\n;]{{0,60}}?{_PRIVATE}[^\n;]{{0,80}}?"
    r"\band\s(?:then\s)?(?:pass|send|include|put|attach|forward|add)\b",
    re.IGNORECASE,
)
_HEAD = 50_000


def steering_in(text: str) -> str:
    """Return words that steer a model beyond the tool, ``""`` where there are none.

    A place among all tools, a call in every conversation, silence towards the user, a
    private file to read and hand over.
    """
    match = _STEERING.search(text[:_HEAD])
    if match is None:
        return ""
    return " ".join(text[max(0, match.start() - 20) : match.end() + 80].split())
