"""Every option once: its flag, its ini twin, its help."""

from __future__ import annotations

from typing import Any

import pytest


class Option:
    """One setting of a session.

    A plain class: making a dataclass would cost every pytest start a millisecond.

    Attributes:
        flag: the command line's spelling.
        name: the ini name, and the attribute of the parsed options.
        kind: ``bool``, ``string`` or ``int``.
        help: one line.
        metavar: how help shows the value.
    """

    def __init__(
        self,
        flag: str,
        kind: str,
        help: str,  # noqa: A002 - as argparse has it
        metavar: str | None = None,
    ) -> None:
        self.flag = flag
        self.name = flag.strip("-").replace("-", "_")
        self.kind = kind
        self.help = help
        self.metavar = metavar


OPTIONS = (
    Option(
        "--agentgate",
        "bool",
        "run marked tests as trials, judge their gates, fail the session below them",
    ),
    Option(
        "--agentgate-policy",
        "string",
        "the policy file (default: agentgate.yaml in the root folder, if it is there)",
        "FILE",
    ),
    Option(
        "--agentgate-out",
        "string",
        "where journal and manifest go (default: .agentgate in the root folder)",
        "DIR",
    ),
    Option(
        "--agentgate-trials",
        "int",
        "run at least N trials of every marked test; never fewer than its gate asks",
        "N",
    ),
    Option(
        "--agentgate-report-only",
        "bool",
        "judge the gates and write everything, but let ordinary tests alone decide",
    ),
    Option(
        "--agentgate-allow-review",
        "bool",
        "exit 0 instead of 10 when the decision is needs_review",
    ),
)


def add_options(parser: pytest.Parser) -> None:
    """Register every option and its ini twin."""
    group = parser.getgroup("agentgate", "release gate for an agent's tool layer")
    for option in OPTIONS:
        extra: dict[str, Any] = {"help": option.help, "default": None}
        if option.kind == "bool":
            extra["action"] = "store_true"
        else:
            extra |= {"metavar": option.metavar}
            extra |= {"type": int} if option.kind == "int" else {}
        group.addoption(option.flag, dest=option.name, **extra)
        # An ini default of None would be refused by some types: "" means unset.
        if option.kind == "bool":
            parser.addini(option.name, option.help, type="bool", default=False)
        else:
            parser.addini(option.name, option.help, type="string", default="")


def is_active(config: pytest.Config) -> bool:
    """Whether this session judges gates."""
    return bool(value(config, OPTIONS[0]))


def value(config: pytest.Config, option: Option) -> Any:
    """Return what the command line says, or else the ini file."""
    given = config.getoption(option.name)
    return config.getini(option.name) if given is None else given
