"""What the verbs that report findings have in common: options, forms, exit codes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from ..environment import Environment
from ..errors import AgentGateError, nearest
from ..grading.finding import Finding
from ..reports.findings import FindingReport, kind
from ..reports.forms import FORMATS
from ..store.listings import MCP
from ..store.policy import find_policy

NOT_JUDGED = 3


def add_options(parser: argparse.ArgumentParser) -> None:
    """Register the options that every such verb understands."""
    parser.add_argument(
        "--tool", action="append", metavar="T", help="only this tool (repeatable)"
    )
    parser.add_argument(
        "--policy",
        type=Path,
        metavar="FILE",
        help="the policy (default: agentgate.yaml in this folder)",
    )
    parser.add_argument("--format", choices=tuple(FORMATS), default="text")


def load_environment(given: argparse.Namespace) -> Environment:
    """Load the policy that was named, or the one in this folder."""
    return Environment.load(given.policy or find_policy(Path.cwd()))


def from_here(source: str) -> str:
    """Let a file on the command line start from this folder, as in any command."""
    if source.endswith(".json") and not source.startswith(MCP):
        return str(Path.cwd() / source)
    return source


def chosen(
    wanted: list[str] | None, tools: Iterable[str], known: Iterable[str] = ()
) -> tuple[str, ...]:
    """Narrow tools to those that ``--tool`` names; all of them where it is absent.

    Args:
        wanted: the names that were given.
        tools: what there is, in order.
        known: further names that may be given, such as of a removed tool.

    Raises:
        AgentGateError: there is no such tool.
    """
    tools = tuple(tools)
    everything = {*tools, *known} - {""}
    for name in wanted or ():
        if name not in everything:
            raise AgentGateError(
                f"there is no tool {name!r}",
                expected="the name of a tool in the list",
                seen=repr(name),
                way_out=nearest(name, everything) if everything else "there are none",
                docs="docs/reference/lint.md",
            )
    return tuple(tool for tool in tools if not wanted or tool in wanted)


def give(report: FindingReport, form: str, environment: Environment) -> int:
    """Print a report and return the exit code that it amounts to.

    Returns:
        1 where a finding fails, else 3 where a rule raised, else 0.
    """
    sys.stdout.write(FORMATS[form](report) + "\n")
    strict = environment.policy.rules.abstain == "error"
    if any(_fails(finding, strict) for finding in report.findings):
        return 1
    return NOT_JUDGED if report.errors else 0


def _fails(finding: Finding, strict: bool) -> bool:
    if strict and kind(finding) == "abstain":
        return finding.severity != "warning"
    return kind(finding) == "error"
