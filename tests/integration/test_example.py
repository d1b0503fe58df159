"""The example's gate ships, and blocks when its tool layer is made worse."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import ROOT, as_activated

pytest.importorskip("anthropic")
pytest.importorskip("mcp")
pytest.importorskip("uvicorn")


@pytest.fixture
def example(tmp_path: Path) -> Path:
    ignore = shutil.ignore_patterns(".agentgate", "__pycache__", ".pytest_cache")
    source = ROOT / "examples" / "kb_agent"
    return Path(shutil.copytree(source, tmp_path / "kb_agent", ignore=ignore))


def gate(folder: Path, *arguments: str, **env: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--agentgate", *arguments],
        cwd=folder,
        env=as_activated() | env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=180,
        check=False,
    )
    return done.returncode, done.stdout


def test_it_ships_and_names_the_stand_in(example):
    code, out = gate(example, ANTHROPIC_API_KEY="")
    assert code == 0, out
    assert "decision: ship" in out
    assert "models: stand-in-words-1" in out


def test_without_the_gate_its_tests_are_ordinary_ones(example):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q"],
        cwd=example,
        env=as_activated() | {"ANTHROPIC_API_KEY": ""},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_worse_descriptions_lower_the_capability_estimate_and_block(example):
    code, out = gate(example, KB_WORSE_DESCRIPTIONS="1", ANTHROPIC_API_KEY="")
    assert code == 1, out
    assert "gate capability: block  pass@3 0.326" in out
    assert "gate recovery: pass" in out
