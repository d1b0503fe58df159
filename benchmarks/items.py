"""What a trial costs over a plain parametrized test."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.timing import compare

ROUNDS = 3
SIZES = (1_000, 10_000)
BODY = """
import pytest

@pytest.fixture
def one(request): return 1

GOOD = {{"status": "success", "summary": "found", "payload": [1], "source": "db:t"}}

@pytest.mark.parametrize("task", range({tasks}))
{mark}
def test_x({arguments}task{extra}): {body}
"""
CHECK = "agentgate.check(GOOD, tool='t')"


def variants(tasks: int) -> dict[str, str]:
    """Return test files by name: the same number of items each."""
    mark = '@pytest.mark.agentgate(metric="pass^k", k=5)'
    plain = '@pytest.mark.parametrize("again", range(5))'
    shape = {"tasks": tasks, "extra": ""}
    return {
        "plain parametrize": BODY.format(
            **(shape | {"extra": ", again"}), mark=plain, arguments="", body="pass"
        ),
        "plain, a fixture": BODY.format(
            **(shape | {"extra": ", again"}),
            mark=plain,
            arguments="one, ",
            body="pass",
        ),
        "plain, graded": BODY.format(
            **(shape | {"extra": ", again"}),
            mark=plain,
            arguments="agentgate, ",
            body=CHECK,
        ),
        "trials, graded": BODY.format(
            **shape, mark=mark, arguments="agentgate, ", body=CHECK
        ),
    }


def measure(size: int) -> dict[str, float]:
    """Return the CPU seconds of each variant at a number of items."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands = {}
        for number, (label, text) in enumerate(variants(size // 5).items()):
            (folder / f"test_{number}.py").write_text(text)
            option = ["--agentgate"] if label.startswith("trials") else []
            commands[label] = [f"test_{number}.py", *option]
        return compare(commands, folder, ROUNDS)


def main() -> None:
    """Print what a session costs once, and what an item costs besides."""
    once = measure(5)
    base = once["plain parametrize"]
    for label, seconds in once.items():
        print(f"  once          {label:<18}{(seconds - base) * 1000:+8.0f} ms CPU")
    for size in SIZES:
        medians = measure(size)
        plain = medians["plain parametrize"]
        for label, seconds in medians.items():
            extra = (seconds - plain) - (once[label] - base)
            print(
                f"  {size:>6} items  {label:<18}{seconds:8.2f} s CPU"
                f"  {extra / size * 1000:+.3f} ms an item  ratio {seconds / plain:.2f}"
            )
        same, trials = medians["plain, graded"], medians["trials, graded"]
        print(
            f"  {size:>6} items  a trial over the same test, plainly parametrized:"
            f" {(trials - same) / size * 1000:+.3f} ms"
        )
