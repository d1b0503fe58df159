"""How often the gate ``capability`` ships, seen over many seeds and in theory.

``python seeds.py`` takes the stand-in's noise from 200 seeds other than the shipped one
and runs every trial of every task in process: it asks the stand-in's chooser, which
decides all that the gate judges, and neither starts a server nor calls a tool
(``test_stand_in.py`` holds the two together). Beside what was seen stands what has to
come out: from each task's chance to pass one trial the exact chance that enough tasks
pass at least once (a Poisson binomial sum), for the descriptions as they are and with
first sentences removed.

``python seeds.py --gate-worse`` runs the real gate without those first sentences; it
blocks, and the exit status is the gate's.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean

import yaml
from agent.tools import TOOLS
from processes import HERE
from stand_in.choice import SLIP, choose, slips
from stand_in.reply import descriptions
from stand_in.server import SEED
from tasks import TASKS, Task

TEST = "test_right_tool"
COLUMNS = "{:<38}{:>8}{:>8}{:>9}{:>9}{:>8}{:>9}{:>8}"


@dataclass(frozen=True)
class Gate:
    """What the policy demands of the capability.

    Attributes:
        trials: trials of each task, as many as k.
        needed: how many tasks have to pass at least one of them.
    """

    trials: int
    needed: int


@dataclass(frozen=True)
class Outcome:
    """What one task may come to.

    Attributes:
        task: the task.
        right: whether the right tools are chosen, without and with a slip.
    """

    task: Task
    right: tuple[bool, bool]

    @property
    def chance(self) -> float:
        """The chance that one trial passes."""
        steady, slipped = self.right
        return (1 - SLIP) * steady + SLIP * slipped

    def passes(self, seed: str, trial: int) -> bool:
        """Return whether this very trial passes."""
        return self.right[slips(seed, f"{TEST}[{self.task}]/{trial}")]


def without_first_sentence(description: str) -> str:
    """Return a description less its first sentence, the one that says when to call."""
    return re.sub(r"^.*?\.(?:\s+|$)", "", description, count=1, flags=re.S)


def read_gate() -> Gate:
    """Read the gate from the policy."""
    policy = yaml.safe_load((HERE / "agentgate.yaml").read_text(encoding="utf-8"))
    gate = policy["gates"]["capability"]
    assert gate["metric"] == "pass@k"
    assert gate["k"] == gate["trials"]
    bar = Fraction(str(gate["threshold"])) * len(TASKS)
    return Gate(gate["trials"], -(-bar.numerator // bar.denominator))


def outcomes(described: Mapping[str, str]) -> list[Outcome]:
    """Return each task's outcome under the given descriptions, by tool."""

    def right(task: Task, *, slipped: bool) -> bool:
        chosen = choose(task.prompt, described, slips=slipped)
        return {choice.tool for choice in chosen} == set(task.tools)

    return [
        Outcome(task, (right(task, slipped=False), right(task, slipped=True)))
        for task in TASKS
    ]


def trials(tasks: Sequence[Outcome], seed: str, gate: Gate) -> list[list[bool]]:
    """Return which trials pass, by task."""
    numbers = range(1, gate.trials + 1)
    return [[task.passes(seed, number) for number in numbers] for task in tasks]


def at_least(needed: int, chances: Sequence[float]) -> float:
    """Return the exact chance that at least so many of independent events happen."""
    spread = [1.0]
    for chance in chances:
        missed = [share * (1 - chance) for share in [*spread, 0.0]]
        hit = [share * chance for share in [0.0, *spread]]
        spread = [sum(pair) for pair in zip(missed, hit, strict=True)]
    return sum(spread[needed:])


def variants() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield descriptions by tool: as they are, one worse, all worse."""
    good = descriptions(TOOLS)
    worse = {name: without_first_sentence(text) for name, text in good.items()}
    yield "as shipped", good
    for name in good:
        yield f"{name} without its first one", good | {name: worse[name]}
    yield "all without their first sentences", worse


def row(name: str, tasks: Sequence[Outcome], seeds: Sequence[str], gate: Gate) -> str:
    """Return a line of the table: what was seen beside what theory says."""
    runs = [trials(tasks, seed, gate) for seed in seeds]
    passed = [sum(map(any, run)) for run in runs]
    once = [1 - (1 - task.chance) ** gate.trials for task in tasks]
    return COLUMNS.format(
        name,
        f"{sum(task.right[0] for task in tasks)}/{len(tasks)}",
        f"{fmean(count >= gate.needed for count in passed):.3f}",
        f"{at_least(gate.needed, once):.5f}",
        f"{fmean(passed) / len(tasks):.4f}",
        f"{fmean(once):.4f}",
        f"{fmean(ok for run in runs for task in run for ok in task):.4f}",
        f"{fmean(task.chance for task in tasks):.4f}",
    )


def table(count: int) -> Iterator[str]:
    """Yield the comparison over so many seeds, line by line."""
    gate = read_gate()
    seeds = [str(int(SEED) + number) for number in range(1, count + 1)]
    yield f"{len(TASKS)} tasks, {gate.trials} trials each; a trial slips at {SLIP:.0%}"
    yield f"ships from {gate.needed} tasks that pass at least once"
    yield f"in process, seeds {seeds[0]} to {seeds[-1]}; the shipped one is {SEED}"
    yield ""
    heads = ("no noise", "ships", "", f"pass@{gate.trials}", "", "pass^1", "")
    yield COLUMNS.format("", *heads).rstrip()
    yield COLUMNS.format("descriptions", "right", *["seen", "theory"] * 3)
    for name, described in variants():
        yield row(name, outcomes(described), seeds, gate)


def gate_worse() -> int:
    """Run the real gate on worse descriptions; return its exit status."""
    with tempfile.TemporaryDirectory() as out:
        # With "=", or pytest takes the folder for one of tests and starts from there.
        gate = ["--agentgate", f"--agentgate-out={out}", "-q"]
        return subprocess.run(
            [sys.executable, "-m", "pytest", *gate],
            cwd=HERE,
            env=os.environ | {"KB_WORSE_DESCRIPTIONS": "1"},
            check=False,
        ).returncode


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=200, help="how many (200)")
    parser.add_argument("--gate-worse", action="store_true", help="run the real gate")
    options = parser.parse_args()
    if options.gate_worse:
        return gate_worse()
    print(*table(options.seeds), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
