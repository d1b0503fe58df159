"""``lint [SOURCE]``: judge what tools promise, without calling any of them."""

from __future__ import annotations

import argparse
import contextlib
import sys
from dataclasses import dataclass
from pathlib import Path

from ..contract.catalogue import Catalogue, Definition
from ..environment import Environment
from ..errors import AgentGateError
from ..grading.grader import Grader
from ..reports.findings import FindingReport
from ..store.locations import locate
from ..store.lock import LOCK, agreed_definitions, read_lock
from ..store.policy import load_contracts
from .reporting import add_options, chosen, from_here, give, load_environment


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the verb."""
    parser = verbs.add_parser(
        "lint",
        help="judge the contracts of tools: 0 no error, 1 errors, 3 a rule raised",
    )
    parser.add_argument(
        "source",
        metavar="SOURCE",
        nargs="?",
        help="mcp:COMMAND, mcp:URL, module:attribute or FILE.json "
        "(default: the policy's tools.catalogue)",
    )
    parser.add_argument(
        "--contracts", type=Path, metavar="FILE", help="the tools' contracts"
    )
    parser.add_argument(
        "--against", metavar="SOURCE", help="what should serve the same tools"
    )
    parser.add_argument(
        "--check", action="store_true", help=f"compare with {LOCK} beside the policy"
    )
    parser.add_argument(
        "--lock", type=Path, metavar="FILE", help="compare with this lock instead"
    )
    parser.add_argument("--profile", choices=("adopt", "strict"))
    parser.add_argument(
        "--rule", action="append", metavar="R", help="only this rule or family"
    )
    add_options(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Lint and print; the exit code says whether an error was found."""
    # Importing a catalogue runs the user's module, which may print.
    with contextlib.redirect_stdout(sys.stderr):
        environment = load_environment(given)
        if given.profile:
            _profile(environment, given.profile)
        subject = _subject(given, environment)
        report = _report(given, environment, subject)
    return give(report, given.format, environment)


def _profile(environment: Environment, profile: str) -> None:
    settings = environment.policy.rules.model_copy(update={"profile": profile})
    environment.grader = Grader(environment.grader.registry, settings)


@dataclass(frozen=True)
class _Subject:
    """What is linted.

    Attributes:
        source: the list of tools.
        catalogue: its tools.
        contracts: the file of their contracts.
        pinned: what was agreed, by name.
    """

    source: str
    catalogue: Catalogue
    contracts: Path | None
    pinned: dict[str, Definition] | None


def _subject(given: argparse.Namespace, environment: Environment) -> _Subject:
    tools = environment.policy.tools
    source = from_here(given.source) if given.source else tools.catalogue
    if source is None:
        raise AgentGateError(
            "there is no list of tools to lint",
            expected="a SOURCE, or tools.catalogue in the policy",
            seen="neither",
            way_out="name one: mcp:COMMAND, mcp:URL, module:attribute or FILE.json",
            docs="docs/reference/lint.md",
        )
    own = given.source in (None, tools.catalogue)
    contracts = given.contracts
    if contracts is None and own and tools.contracts:
        contracts = environment.folder / tools.contracts
    against = from_here(given.against) if given.against else None
    if against is None and own:
        against = tools.served
    catalogue = Catalogue(
        environment.definitions(source),
        load_contracts(contracts) if contracts else {},
        environment.definitions(against) if against else None,
    )
    pinned = _pinned(given, environment, catalogue)
    return _Subject(source, catalogue, contracts, pinned)


def _pinned(
    given: argparse.Namespace, environment: Environment, catalogue: Catalogue
) -> dict[str, Definition] | None:
    if not given.check and given.lock is None:
        return None
    lock = read_lock(given.lock or environment.folder / LOCK)
    return agreed_definitions(lock, catalogue.definitions, environment.redactor)


def _report(
    given: argparse.Namespace, environment: Environment, subject: _Subject
) -> FindingReport:
    only = environment.grader.select(given.rule)
    linted = environment.lint(subject.catalogue, pinned=subject.pinned, only=only)
    tools = tuple(subject.catalogue.contracts)
    named = {*tools, *linted.by_tool}
    return FindingReport(
        verb="lint",
        source=environment.redactor.redact_text(given.source or subject.source),
        tools=chosen(given.tool, tools, named),
        findings=tuple(
            finding
            for tool, findings in linted.by_tool.items()
            if not given.tool or tool in given.tool
            for finding in findings
        ),
        errors=linted.errors,
        places=locate(named, subject.source, subject.contracts, environment.folder),
    )
