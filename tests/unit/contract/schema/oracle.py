"""Ask jsonsubschema about pairs, one line of JSON each, with a time limit a pair.

Run as a process: it prints to stdout, can take for ever, and exits by itself.
"""

from __future__ import annotations

import contextlib
import io
import json
import signal
import sys
from typing import Any

SECONDS = 5


def ask(narrow: Any, wide: Any) -> bool | None:
    """Whether one schema admits no more than another; ``None`` where it fails."""
    from jsonsubschema import isSubschema

    signal.alarm(SECONDS)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return bool(isSubschema(narrow, wide))
    except (Exception, SystemExit):
        return None
    finally:
        signal.alarm(0)


def stop(*_: Any) -> None:
    """End a question that takes too long."""
    raise TimeoutError


if __name__ == "__main__":
    signal.signal(signal.SIGALRM, stop)
    for line in sys.stdin:
        declared, served = json.loads(line)
        print(json.dumps([ask(served, declared), ask(declared, served)]), flush=True)
