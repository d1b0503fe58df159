"""Services as real processes: started by their start command, stopped by handle."""

import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
PATIENCE = 20.0


@contextmanager
def running(command: str, log: Path) -> Iterator[str]:
    """Run a start command until the block ends; yield the address it listens on."""
    python, *arguments = shlex.split(command)
    assert python == "python"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, *arguments, "--no-access-log", "--no-use-colors"],
            cwd=HERE,
            env=os.environ | {"NOTES_DB": str(log.with_suffix(".sqlite"))},
            stdout=output,
            stderr=output,
        )
    try:
        yield _address(process, log)
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        if found := re.search(r"running on (http://\S+)", log.read_text()):
            return found[1]
        time.sleep(0.02)
    raise RuntimeError(f"the service did not start:\n{log.read_text()}")
