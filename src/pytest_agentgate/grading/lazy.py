"""Regular expressions that are compiled when they are first used.

Recovery wording fills a hundred patterns; a session in which nothing fails needs
none of them, and compiling them all would be a third of its start-up.
"""

from __future__ import annotations

import re
from typing import Any, cast


class _Lazy:
    """Stands for a pattern until one of its methods is asked for."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        pattern = re.compile(self._source, self._flags)
        # Bound methods on the instance: from now on this costs what a pattern costs.
        methods = ("search", "match", "fullmatch", "sub", "finditer", "findall")
        vars(self).update({method: getattr(pattern, method) for method in methods})
        return getattr(pattern, name)


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled at first use."""
    return cast("re.Pattern[str]", _Lazy(source, flags))
