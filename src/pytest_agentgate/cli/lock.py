"""``lock [DIR]``: write down what a whole run has shown to hold."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..store.lock import LOCK, lock_document, write_lock
from ..store.policy import find_policy
from .gate import judge


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the verb."""
    parser = verbs.add_parser(
        "lock", help=f"write {LOCK} from the journal of a whole run"
    )
    parser.add_argument(
        "directory", type=Path, nargs="?", default=Path(".agentgate"), metavar="DIR"
    )
    parser.add_argument(
        "--file", type=Path, help=f"the lock (default: {LOCK} beside the policy)"
    )
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Write the lock and say what is in it."""
    document = lock_document(judge(given.directory))
    policy = find_policy(Path.cwd())
    path = given.file or (policy.parent if policy else Path.cwd()) / LOCK
    write_lock(path, document)
    nouns = ("task", "rule", "tool", "waiver")
    counts = ", ".join(_many(len(document[f"{noun}s"]), noun) for noun in nouns)
    sys.stdout.write(f"locked {counts} in {path.name}\n")
    return 0


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
