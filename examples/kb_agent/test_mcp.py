"""What is served over MCP is what the dispatcher serves; an ordinary test."""

import subprocess
import sys

from processes import HERE

SERVED = ["search_kb", "list_projects", "classify_snippet", "search_notes"]


def test_both_roads_lead_to_the_same():
    """Equal calls get equal observations, and the schemas are the same."""
    probe = [sys.executable, "-m", "pytest_agentgate.cli", "probe", "--random", "0"]
    done = subprocess.run(
        [*probe, *(f"--tool={name}" for name in SERVED)],
        cwd=HERE,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
