"""The command ``pytest-agentgate``: one file per verb, and no pytest in any of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version

from ..errors import AgentGateError
from . import explain, gate, init, lint, lock, probe, waive

VERBS = (gate, lint, probe, lock, waive, explain, init)
USAGE_ERROR = 4


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and return its exit code; bad input is 4 with a message."""
    parser = argparse.ArgumentParser(
        prog="pytest-agentgate", description="Judge, explain and set up release gates."
    )
    parser.add_argument(
        "--version", action="version", version=version("pytest-agentgate")
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb in VERBS:
        verb.add_to(verbs)
    try:
        given = parser.parse_args(arguments)
    except SystemExit as stop:
        # argparse exits 2 on bad usage; here, as in pytest, that is 4.
        return USAGE_ERROR if stop.code == 2 else int(stop.code or 0)
    try:
        return int(given.run(given))
    except AgentGateError as error:
        sys.stderr.write(f"pytest-agentgate {given.verb}: {error}\n")
        return USAGE_ERROR
