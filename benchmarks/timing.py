"""Run commands in turn and compare their medians, so that drift hits all alike."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
from pathlib import Path

#: Plugins of others that would drown what is measured.
BARE = tuple(
    flag
    for name in (
        "asyncio",
        "anyio",
        "hypothesispytest",
        "randomly",
        "rerunfailures",
        "xdist",
        "timeout",
        "pytest_cov",
        "html",
        "metadata",
        "cacheprovider",
    )
    for flag in ("-p", f"no:{name}")
)


def cpu(arguments: list[str], folder: Path) -> float:
    """Run pytest in a process and return the CPU seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "pytest", "-q", *BARE, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(done.stdout.decode() + done.stderr.decode())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(
    variants: dict[str, list[str]], folder: Path, rounds: int
) -> dict[str, float]:
    """Return the median CPU seconds of each variant, run in turn."""
    taken: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(rounds):
        for name, arguments in variants.items():
            taken[name].append(cpu(arguments, folder))
    return {name: statistics.median(values) for name, values in taken.items()}
