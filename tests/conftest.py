"""What the tests of every folder share: where things are, and a gated child run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
MODES = {"plain": [], "n0": ["-n0"], "n2": ["-n2"]}
OTHERS = tuple(
    flag
    for name in (
        *("asyncio", "anyio", "hypothesispytest", "randomly", "rerunfailures"),
        *("timeout", "pytest_cov", "html", "metadata"),
    )
    for flag in ("-p", f"no:{name}")
)
"""Leaves other people's plugins out: two thirds of a child's start-up."""


@pytest.fixture
def shared() -> Path:
    """The folder of shared data beside the checkout."""
    if not SHARED.is_dir():
        pytest.skip("../shared is not here: its data cannot be used")
    return SHARED


@dataclass
class Child:
    """A pytest session that ran in a process of its own.

    Attributes:
        code: its exit code.
        out: what it printed, both streams.
        folder: where it ran.
    """

    code: int
    out: str
    folder: Path

    @property
    def manifest(self) -> dict[str, Any]:
        return json.loads((self.folder / ".agentgate" / "manifest.json").read_text())

    @property
    def decision(self) -> str:
        return self.manifest["decision"]["word"]

    @property
    def gates(self) -> dict[str, dict[str, Any]]:
        return {gate["name"]: gate for gate in self.manifest["gates"]}

    @property
    def outcomes(self) -> dict[str, str]:
        """Outcome by ``test trial n``, the file left out."""
        return {
            f"{trial['task'].rpartition('::')[2]} {trial['trial']}": trial["outcome"]
            for trial in self.manifest["trials"]
        }

    @property
    def junit(self) -> dict[str, str]:
        """By gate (synthetic test case): pass, failure, error or skipped."""
        root = ET.parse(self.folder / "junit.xml").getroot()
        return {
            case.get("name", ""): case[0].tag if len(case) else "pass"
            for case in root.iter("testcase")
            if case.get("classname") == "agentgate"
        }

    def agrees(self) -> None:
        """Exit code, terminal, JUnit and manifest must tell the same."""
        manifest, word = self.manifest, self.decision
        assert manifest["exit_code"] == self.code, self.out
        assert f"decision: {word}" in self.out
        wanted = {"block": "failure", "needs_review": "error"}
        for name, gate in self.gates.items():
            verdict = gate["verdict"]
            assert f"gate {name}" in self.out
            if manifest["decision"]["enforced"]:
                assert self.junit[name] == wanted.get(verdict, "pass"), self.junit


@pytest.fixture
def child(tmp_path: Path):
    """Return a function that writes files and runs pytest on them in a process.

    Other people's plugins, xdist apart, are left out unless ``plugins`` is true.
    """

    def run(
        *arguments: str,
        files: dict[str, str] | None = None,
        env: dict[str, str] | None = None,
        timeout: float = 120,
        plugins: bool = False,
    ) -> Child:
        for name, text in (files or {}).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        others = () if plugins else OTHERS
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "--junit-xml=junit.xml",
                *others,
                *arguments,
            ],
            cwd=tmp_path,
            env=child_environment() | (env or {}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=timeout,
            check=False,
        )
        return Child(done.returncode, done.stdout, tmp_path)

    return run


@pytest.fixture
def command(tmp_path: Path):
    """Return a function that runs ``pytest-agentgate`` in the child's folder."""

    def run(*arguments: str) -> Child:
        done = subprocess.run(
            [sys.executable, "-m", "pytest_agentgate.cli", *arguments],
            cwd=tmp_path,
            env=child_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            check=False,
        )
        return Child(done.returncode, done.stdout, tmp_path)

    return run


def child_environment() -> dict[str, str]:
    """A child's environment: ours, less what this session's pytest and CI set."""
    drop = ("PYTEST_", "COV_", "CI", "BUILD_NUMBER")
    return {k: v for k, v in os.environ.items() if not k.startswith(drop)}


def as_activated() -> dict[str, str]:
    """A child's environment in which ``python`` is this interpreter."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return child_environment() | {"PATH": path}
