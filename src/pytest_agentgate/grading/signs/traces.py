"""Stack traces, and paths into the place where a tool is installed."""

from __future__ import annotations

import re

HEAD = 20_000

_FRAMES = re.compile(
    r"Traceback \(most recent call last\)"
    r"|^[ \t]*File \"[^\"\n]{1,300}\", line \d+"
    r"|^[ \t]*at [\w.$<>/\[\] ]{1,200} ?\([^()\n]{0,200}:\d+(?::\d+)?\)"
    r"|^[ \t]*at (?:async )?(?:file://)?/[^\s()]{1,300}:\d+:\d+"
    r"|^[ \t]*at [\w.$<>`]{1,200}\([^()\n]{0,200}\) in [^\n]{1,300}:line \d+"
    r"|^[ \t]*at [\w$]{1,60}(?:\.[\w$<>]{1,60}){2,12}\((?:Native Method|Unknown Source)"
    r"|^goroutine \d+ \[[^\]\n]{1,40}\]:"
    r"|^panic: |^thread '[^'\n]{1,100}' (?:\(\d+\) )?panicked at"
    r"|^Exception in thread \"[^\"\n]{1,100}\""
    r"|^#\d+ /[^\s(]{1,300}\(\d+\): "
    r"|^[ \t]*(?:from )?/[^\s:]{1,300}\.rb:\d+:in [`']"
    r"|\bStack ?trace:\s",
    re.MULTILINE,
)
_INSTALLED = re.compile(
    r"(?:[\\/])(?:site-packages|dist-packages|node_modules|\.?venv|virtualenvs)[\\/]"
    r"|/(?:usr|opt)/(?:local/)?lib/python\d"
    r"|[\\/]lib[\\/]python\d(?:\.\d+)?[\\/]",
    re.IGNORECASE,
)
_SOURCE = re.compile(
    r"(?<![\w./:-])(?:/(?:app|srv|opt|home|root|usr|var|code|workspace|Users|build|tmp)"
    r"(?:/[\w.@+-]{1,80}){1,12}|[A-Za-z]:\\(?:[\w.@ +-]{1,80}\\){1,12}[\w.@+-]{1,80})"
    r"\.(?:py|pyc|js|mjs|cjs|ts|rb|php|go|java|rs|cs)\b(?:\W{1,3}(?:line )?\d+)?"
)
_STAMPED = re.compile(
    r"\s*\[?(?:\d{4}-\d\d-\d\d|\d\d[:/]\d\d[:/]\d\d|[A-Z][a-z]{2} +\d{1,2} \d\d:)"
)


def trace_in(text: str) -> str:
    """Return the first frame of a stack trace in a text, ``""`` where there is none."""
    match = _FRAMES.search(text[:HEAD])
    return match[0].strip() if match else ""


def opens_with_trace(text: str) -> bool:
    """Whether a text is a trace, after a line or two that lead up to it.

    A log or a page that holds one further on, or stamps its lines, is data.
    """
    match = _FRAMES.search(text[:HEAD])
    if match is None or _STAMPED.match(text[:100]):
        return False
    return match.start() <= 600 and text.count("\n", 0, match.start()) <= 4


def internal_path(text: str, known: str = "") -> str:
    """Return a path into the tool's own installation, ``""`` where there is none.

    Args:
        text: one of the tool's own sentences.
        known: what the caller said; a path that it named is not internal.
    """
    head = text[:HEAD]
    match = _INSTALLED.search(head)
    if match:
        lead = head[: match.start()].split()
        path = (lead[-1] if lead else "") + head[match.start() : match.end() + 40]
        path = path.split()[0]
        return "" if path and path in known else path
    for match in _SOURCE.finditer(head):
        path = match[0].split(":")[0] if match[0][0] == "/" else match[0]
        if path not in known:
            return match[0]
    return ""
