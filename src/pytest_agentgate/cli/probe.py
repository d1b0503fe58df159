"""``probe [SOURCE]``: call tools with made-up arguments and judge what comes back."""

from __future__ import annotations

import argparse
import contextlib
import json
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..contract.catalogue import Catalogue
from ..contract.settings import ProbeSettings
from ..environment import Environment
from ..errors import AgentGateError
from ..grading.finding import Finding
from ..grading.grader import GraderError
from ..live.parity import Side, parity
from ..live.probe import ALL, Chosen, Probed, listed_twice, probe
from ..reports.findings import FindingReport
from ..reports.replays import as_tests
from ..store.files import write_atomic
from ..store.listings import MCP
from ..store.locations import locate
from .reporting import NOT_JUDGED, add_options, chosen, give, load_environment

COMMAND = "pytest-agentgate probe"
DOCS = "docs/reference/probe.md"


def add_to(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the verb."""
    parser = verbs.add_parser(
        "probe",
        help="call tools that only read with made-up arguments: 0 no error, 1 errors, "
        "3 nothing was called, or a rule raised",
    )
    parser.add_argument(
        "source",
        metavar="SOURCE",
        nargs="?",
        help="mcp:COMMAND, mcp:URL, or a dispatcher as module:attribute "
        "(default: the policy's tools.call)",
    )
    parser.add_argument("--seed", type=int, metavar="S", help="of the random calls")
    parser.add_argument("--random", type=int, metavar="N", help="random calls a tool")
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--case", type=int, metavar="N", help="only the Nth call")
    one.add_argument("--arguments", metavar="JSON", help="only this call")
    parser.add_argument(
        "--mutating",
        action="append",
        metavar="T",
        help="call this tool although it changes something; 'all' for every one",
    )
    parser.add_argument(
        "--parity", metavar="SOURCE", help="what should give the same answers"
    )
    parser.add_argument(
        "--write-tests",
        type=Path,
        metavar="FILE",
        help="write what was found as tests that fail until it is mended",
    )
    add_options(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Probe and print; the exit code says whether an error was found."""
    # Tools run in this process may print.
    with contextlib.redirect_stdout(sys.stderr):
        only = _one_call(given)
        environment = load_environment(given)
        layer = _layer(given, environment)
        probed = list(layer.probe(only))
        report = _report(environment, layer, probed)
    if given.write_tests:
        _write_tests(given.write_tests, probed, report)
    code = give(report, given.format, environment)
    return code or (0 if any(one.calls for one in probed) else NOT_JUDGED)


@dataclass(frozen=True)
class _Layer:
    """The tool layer that is probed.

    Attributes:
        environment: what it is judged by.
        source: what stands for the dispatcher.
        listing: what stands for the list of tools.
        call: the dispatcher.
        catalogue: the tools.
        other: a second transport of them.
        settings: what is sent.
        tools: names of those that are probed.
        command: what a finding is replayed by.
    """

    environment: Environment
    source: str
    listing: str
    call: Callable[..., Any]
    catalogue: Catalogue
    other: str | None
    settings: ProbeSettings
    tools: tuple[str, ...]
    command: str

    def probe(self, only: Chosen) -> Iterator[Probed]:
        """Probe tool after tool, then compare listings and transports."""
        env = self.environment
        bench = env.bench(self.command)
        for name in self.tools:
            yield probe(
                self.catalogue.contracts[name],
                self.call,
                bench,
                self.settings,
                state=env.state,
                timeout=env.policy.tools.server.timeout_seconds,
                chosen=only,
            )
        if only != ALL:
            return
        if self.listing.startswith(MCP):
            again = partial(env.definitions, self.listing)
            yield from listed_twice(self.catalogue.definitions, again, bench)
        if self.other:
            yield from self._compare(self.other)

    def _compare(self, other: str) -> Iterator[Probed]:
        env = self.environment
        listed = env.definitions(other) if other.startswith(MCP) else ()
        there = {entry.name: entry for entry in listed}
        here = {entry.name: entry for entry in self.catalogue.definitions}
        call = env.dispatcher_of(other)
        source, other = map(env.redactor.redact_text, (self.source, other))
        for name in self.tools:
            if there and name not in there:
                continue  # 'lint' says so: contract.served
            yield parity(
                self.catalogue.contracts[name],
                Side(source, self.call, here.get(name)),
                Side(other, call, there.get(name)),
                env.bench(self.command),
                self.settings,
                timeout=env.policy.tools.server.timeout_seconds,
            )


def _layer(given: argparse.Namespace, environment: Environment) -> _Layer:
    tools = environment.policy.tools
    source = given.source or tools.call
    if source is None:
        raise AgentGateError(
            "there is nothing to probe",
            expected="a SOURCE, or tools.call in the policy",
            seen="neither",
            way_out="name one: mcp:COMMAND, mcp:URL or module:attribute",
            docs=DOCS,
        )
    listing = source if given.source and source.startswith(MCP) else tools.catalogue
    if listing is None:
        raise AgentGateError(
            "there is no list of tools, so none can be probed",
            expected="tools.catalogue in the policy, or an MCP server as SOURCE",
            seen="neither",
            way_out="name the list of tools that the model is given",
            docs=DOCS,
        )
    own = listing == tools.catalogue
    catalogue = environment.catalogue if own else None
    if catalogue is None:
        catalogue = Catalogue(environment.definitions(listing), environment.declared)
    other = given.parity
    if other is None and own and (tools.served or "").startswith(MCP):
        other = tools.served
    shown = environment.redactor.redact_text(given.source or "")
    return _Layer(
        environment=environment,
        source=source,
        listing=listing,
        call=environment.dispatcher_of(source),
        catalogue=catalogue,
        other=other,
        settings=_settings(environment.policy.probe, given),
        tools=chosen(given.tool, catalogue.contracts),
        command=f"{COMMAND} {shlex.quote(shown)}" if shown else COMMAND,
    )


def _settings(policy: ProbeSettings, given: argparse.Namespace) -> ProbeSettings:
    changed: dict[str, Any] = {}
    if given.seed is not None:
        changed["seed"] = given.seed
    if given.random is not None:
        changed["random"] = max(0, given.random)
    if given.mutating:
        named = tuple(given.mutating)
        changed["mutating"] = "all" if "all" in named else named
    return policy.model_copy(update=changed)


def _one_call(given: argparse.Namespace) -> Chosen:
    if given.case is None and given.arguments is None:
        return ALL
    if len(given.tool or ()) != 1:
        raise AgentGateError(
            "one call is asked for, and it is not said of which tool",
            expected="--tool, once, beside --case or --arguments",
            seen=f"{len(given.tool or ())} tools",
            way_out="name the tool",
            docs=f"{DOCS}#replay",
        )
    if given.arguments is None:
        return Chosen(case=given.case)
    try:
        arguments = json.loads(given.arguments)
    except (ValueError, RecursionError) as error:
        raise _no_arguments(str(error)) from None
    if not isinstance(arguments, dict):
        raise _no_arguments(f"a {type(arguments).__name__}")
    return Chosen(arguments=arguments)


def _no_arguments(seen: str) -> AgentGateError:
    return AgentGateError(
        "--arguments is no JSON object",
        expected='the arguments of one call, such as \'{"item": "bolt"}\'',
        seen=seen,
        way_out="quote it for the shell",
        docs=f"{DOCS}#replay",
    )


def _report(
    environment: Environment, layer: _Layer, probed: list[Probed]
) -> FindingReport:
    order = {name: place for place, name in enumerate(layer.tools)}
    findings = [environment.accept(one) for made in probed for one in made.findings]
    findings.sort(key=lambda finding: order.get(finding.tool, len(order)))
    errors: dict[GraderError, None] = {}
    for made in probed:
        errors |= dict.fromkeys(made.errors)
    notes = dict.fromkeys(f"{one.tool}: {note}" for one in probed for note in one.notes)
    calls = sum(one.calls for one in probed)
    contracts = environment.policy.tools.contracts
    return FindingReport(
        verb="probe",
        source=environment.redactor.redact_text(layer.source),
        tools=layer.tools,
        findings=tuple(findings),
        errors=tuple(errors),
        places=locate(
            set(layer.tools),
            layer.listing,
            environment.folder / contracts if contracts else None,
            environment.folder,
        ),
        notes=(*notes, "1 call" if calls == 1 else f"{calls} calls"),
    )


def _write_tests(path: Path, probed: list[Probed], report: FindingReport) -> None:
    """Write a test for each finding that one call shows, less what is waived."""
    failing = {_key(finding) for finding in report.findings if finding.fails_trial}
    entries = [
        (found.finding, found.arguments)
        for made in probed
        for found in made.found
        if found.arguments is not None and _key(found.finding) in failing
    ]
    write_atomic(path, as_tests(entries))
    sys.stderr.write(f"wrote tests of {len(entries)} findings to {path}\n")


def _key(finding: Finding) -> tuple[str, str, str]:
    return finding.tool, finding.rule, finding.path
