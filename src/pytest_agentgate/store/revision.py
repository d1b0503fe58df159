"""Which git revision is being tested."""

from __future__ import annotations

import subprocess
from pathlib import Path


def revision(folder: Path) -> str | None:
    """Return the commit of the checkout, with ``+changes`` where it is modified.

    Args:
        folder: a folder in the checkout.

    Returns:
        ``None`` where there is no git or no commit.
    """
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None:
        return None
    return commit + ("+changes" if _git(folder, "status", "--porcelain") else "")


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - fixed words, no shell
            ["git", *arguments],  # noqa: S607 - the user's own git
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
