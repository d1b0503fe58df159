"""``gate DIR``: judge a journal again, in a process of its own, and decide."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..errors import JournalError
from ..gate.manifest import Manifest, fold
from ..grading.finding import printable
from ..reports.terminal import summary
from ..store.journal import MANIFEST, read_journal

NO_DECISION = 3


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the verb."""
    parser = verbs.add_parser(
        "gate",
        help="judge the journal of a run and decide: 0 ship, 1 block, 10 needs_review, "
        "3 no decision possible",
    )
    parser.add_argument(
        "directory", type=Path, nargs="?", default=Path(".agentgate"), metavar="DIR"
    )
    parser.add_argument(
        "--allow-review", action="store_true", help="exit 0 instead of 10"
    )
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Recompute every figure from the journal's raw outcomes and decide."""
    try:
        manifest = judge(given.directory)
    except JournalError as error:
        sys.stdout.write(f"{error}\ndecision: none possible\n")
        return NO_DECISION
    for line in summary(manifest, str(given.directory / MANIFEST)):
        sys.stdout.write(printable(line.text) + "\n")
    code = manifest.decision.exit_code
    return 0 if code == 10 and given.allow_review else code


def judge(directory: Path) -> Manifest:
    """Fold a whole journal into its manifest.

    Raises:
        JournalError: the run was cut off, a record is missing, or a line is not as
            it was written.
    """
    manifest = fold(read_journal(directory))
    ended = manifest.facts.ended
    if ended != "complete":
        raise _no_decision("a run whose item loop came to its end", ended)
    known = {(record.task, record.trial) for record in manifest.records}
    lost = [key for key in manifest.plan.expected if key not in known]
    if lost:
        names = ", ".join(f"{task} trial {trial}" for task, trial in lost[:5])
        raise _no_decision(
            "a record of every planned trial", f"{len(lost)} missing: {names}"
        )
    return manifest


def _no_decision(expected: str, seen: str) -> JournalError:
    return JournalError(
        "the journal is not whole",
        expected=expected,
        seen=seen,
        way_out="run pytest --agentgate again; a run that was cut off decides nothing",
        docs="docs/reference/exit-codes.md",
    )
