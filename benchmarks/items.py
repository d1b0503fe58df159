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


def main() -> None:
    """Print CPU by size, and the cost of one item over plain parametrize."""
    for size in SIZES:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            commands = {}
            for number, (label, text) in enumerate(variants(size // 5).items()):
                (folder / f"test_{number}.py").write_text(text)
                option = ["--agentgate"] if label.startswith("trials") else []
                commands[label] = [f"test_{number}.py", *option]
            medians = compare(commands, folder, ROUNDS)
        plain = medians["plain parametrize"]
        for label, seconds in medians.items():
            extra = (seconds - plain) / size * 1000
            print(
                f"  {size:>6} items  {label:<18}{seconds:7.2f} s CPU"
                f"  {extra:+.3f} ms an item  ratio {seconds / plain:.2f}"
            )
