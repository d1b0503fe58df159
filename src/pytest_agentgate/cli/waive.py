"""``waive SOURCE``: accept what was found, for a time, under somebody's name.

The source is the folder of a run, or the JSON that ``lint`` or ``probe`` printed.
"""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Iterable
from pathlib import Path

from ..errors import AgentGateError
from ..gate.manifest import fold
from ..gate.outcome import FindingGroup
from ..grading.finding import Finding
from ..store.findings import read_findings
from ..store.journal import read_journal
from ..store.policy import find_policy, load_policy
from ..store.waivers import Waiver, write_waivers

DEFAULT_DAYS = 90
DEFAULT_FILE = "waivers.yaml"


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the verb."""
    parser = verbs.add_parser(
        "waive", help="write what a run found into the waivers file, with an end"
    )
    parser.add_argument(
        "source",
        type=Path,
        nargs="?",
        default=Path(".agentgate"),
        metavar="SOURCE",
        help="the folder of a run, or a file that lint --format json printed",
    )
    parser.add_argument("--owner", required=True, help="who answers for it")
    parser.add_argument(
        "--expires",
        type=_date,
        metavar="YYYY-MM-DD",
        help=f"last day it holds (default: {DEFAULT_DAYS} days from now)",
    )
    parser.add_argument("--rule", action="append", help="only this rule (repeatable)")
    parser.add_argument("--tool", action="append", help="only this tool (repeatable)")
    parser.add_argument("--reason", default="", help="why it is accepted")
    parser.add_argument(
        "--file",
        type=Path,
        help=f"the waivers file (default: the policy's, or {DEFAULT_FILE})",
    )
    parser.set_defaults(run=run)


def _date(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not YYYY-MM-DD") from None


def run(given: argparse.Namespace) -> int:
    """Write a waiver for every failing finding that has none."""
    today = datetime.date.today()
    expires = given.expires or today + datetime.timedelta(days=DEFAULT_DAYS)
    if expires < today:
        raise AgentGateError(
            f"--expires {expires} is in the past",
            expected=f"a day from {today} on",
            seen=str(expires),
            way_out="a waiver ends later than it starts",
        )
    entries = [
        Waiver(
            rule=found.rule,
            tool=found.tool or "*",
            owner=given.owner,
            expires=expires,
            reason=given.reason or found.message,
        )
        for found in _open(given.source)
        if _wanted(found, given)
    ]
    path, named = _file(given.file)
    if not entries:
        sys.stdout.write("nothing to waive: no failing finding is without a waiver\n")
        return 0
    write_waivers(path, entries)
    for entry in entries:
        sys.stdout.write(f"waived {entry.rule} for {entry.tool}: {entry.note}\n")
    sys.stdout.write(f"{len(entries)} waivers in {path}\n")
    if not named:
        sys.stdout.write(f"add 'waivers: {path.name}' to agentgate.yaml to use them\n")
    return 0


def _open(source: Path) -> list[Finding | FindingGroup]:
    found: Iterable[Finding | FindingGroup]
    if source.is_file():
        found = read_findings(source)
    else:
        found = [entry.group for entry in fold(read_journal(source)).findings]
    return [
        one
        for one in found
        if one.verdict == "fail"
        # What a test expected of a run is changed in the test.
        and not one.rule.startswith("trajectory.")
        and one.severity == "error"
        and not one.waived
    ]


def _wanted(found: Finding | FindingGroup, given: argparse.Namespace) -> bool:
    return (not given.rule or found.rule in given.rule) and (
        not given.tool or found.tool in given.tool
    )


def _file(given: Path | None) -> tuple[Path, bool]:
    """Return the waivers file, and whether the policy names it."""
    path = find_policy(Path.cwd())
    named = load_policy(path).policy.waivers if path else None
    default = path.parent / named if path and named else Path(DEFAULT_FILE)
    chosen = given or default
    return chosen, named is not None and chosen.resolve() == default.resolve()
