"""``explain RULE``: what a rule checks, why, and how to live with it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ..contract.formats import parse
from ..contract.observation import ToolResult
from ..gate.rules import RUN_RULES
from ..grading.context import Context
from ..grading.failure import describe
from ..grading.grader import Grader
from ..grading.registry import Registry, Rule
from ..grading.rules import built_in
from ..reports import rule_page
from ..store.files import write_atomic

MADE = (
    "<!-- Made by `pytest-agentgate explain --markdown`: edit the rule instead. -->\n"
)


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the verb."""
    parser = verbs.add_parser("explain", help="say what a rule checks, and why")
    parser.add_argument(
        "rule",
        metavar="RULE",
        nargs="?",
        help="a rule id or a family (default: the list of all rules)",
    )
    parser.add_argument(
        "--markdown",
        type=Path,
        metavar="DIR",
        help="write every rule's page and the list of them into a folder",
    )
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Print the rules that the selector names, or write the pages of all."""
    registry = built_in()
    for entry in RUN_RULES:
        registry.add(entry)
    if given.markdown:
        return _write(given.markdown, list(registry))
    if given.rule is None:
        sys.stdout.write(rule_page.index(registry))
        return 0
    chosen = registry.select([given.rule])
    pages = [page(entry) for entry in registry if entry.id in chosen]
    sys.stdout.write("\n".join(pages))
    return 0


def page(entry: Rule) -> str:
    """Write one rule's page, with what it says of its bad example."""
    return rule_page.page(entry, said(entry))


def said(entry: Rule) -> str:
    """Grade a rule's bad example by the rule alone and return what it says."""
    if entry.bad is None:
        return ""
    subject = entry.bad.subject
    if entry.subject == "result" and not isinstance(subject, ToolResult):
        subject = parse(subject)
    grader = Grader(Registry([entry]))
    context = Context(**entry.bad.context)
    grades = grader.grade(subject, context, kind=entry.subject)
    return describe(grades.findings[0]) if grades.findings else ""


def _write(folder: Path, entries: Sequence[Rule]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    for entry in entries:
        write_atomic(folder / f"{entry.id}.md", MADE + page(entry))
    write_atomic(folder / "README.md", MADE + rule_page.index(entries))
    sys.stdout.write(f"wrote {len(entries)} rule pages and README.md to {folder}\n")
    return 0
