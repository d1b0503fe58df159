"""``waive DIR``: accept what a run found, for a time, under somebody's name."""

from __future__ import annotations

import argparse
import datetime
import sys
from pathlib import Path

from ..errors import AgentGateError
from ..gate.manifest import FindingSummary, Manifest, fold
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
        "directory", type=Path, nargs="?", default=Path(".agentgate"), metavar="DIR"
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
    manifest = fold(read_journal(given.directory))
    entries = [
        Waiver(
            rule=found.group.rule,
            tool=found.group.tool or "*",
            owner=given.owner,
            expires=expires,
            reason=given.reason or found.group.message,
        )
        for found in _open(manifest)
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


def _open(manifest: Manifest) -> list[FindingSummary]:
    return [
        found
        for found in manifest.findings
        if found.group.verdict == "fail"
        # What a test expected of a run is changed in the test.
        and not found.group.rule.startswith("trajectory.")
        and found.group.severity == "error"
        and not found.group.waived
    ]


def _wanted(found: FindingSummary, given: argparse.Namespace) -> bool:
    group = found.group
    return (not given.rule or group.rule in given.rule) and (
        not given.tool or group.tool in given.tool
    )


def _file(given: Path | None) -> tuple[Path, bool]:
    """Return the waivers file, and whether the policy names it."""
    path = find_policy(Path.cwd())
    named = load_policy(path).policy.waivers if path else None
    default = path.parent / named if path and named else Path(DEFAULT_FILE)
    chosen = given or default
    return chosen, named is not None and chosen.resolve() == default.resolve()
