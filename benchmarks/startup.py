"""What the plugin costs a session that does not use it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.timing import compare

ROUNDS = 31


def main() -> None:
    """Print CPU of one trivial test without and with the plugin installed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "test_it.py").write_text("def test_x(): pass\n")
        off = ["-p", "no:pytest_agentgate"]
        medians = compare({"pytest alone": off, "plugin, unused": []}, folder, ROUNDS)
    alone, idle = medians.values()
    for label, seconds in medians.items():
        print(f"  {label:<16}{seconds * 1000:8.1f} ms CPU")
    print(
        f"  difference      {(idle - alone) * 1000:8.1f} ms   ratio {idle / alone:.3f}"
    )
