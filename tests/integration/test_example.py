"""The example's gate ships, and blocks when its tool layer is made worse."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import ROOT, child_environment

pytest.importorskip("anthropic")
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
        env=child_environment() | env,
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


BROKEN = {
    "stop of an unreachable service": (
        "agent/seam.py",
        'stop="If it is still unreachable then, stop and tell the user that the "\n'
        '        f"{place.service} service is down.",',
        'stop="The service is down.",',
        ["classify_snippet", "recovery.stop-condition", "The service is down."],
    ),
    "cause of an unreachable service": (
        "agent/seam.py",
        'cause=f"nothing accepts connections at {place.address}.",',
        'cause="an error.",',
        ["search_notes", "recovery.", "Cause: an error."],
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_recovery_message_blocks_with_tool_rule_and_text(example, case):
    name, old, new, shown = BROKEN[case]
    path = example / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    code, out = gate(example, "test_recovery.py")
    assert code == 1, out
    assert "decision: block" in out
    for part in shown:
        assert part in out


def test_worse_descriptions_lower_the_capability_estimate_and_block(example):
    code, out = gate(example, KB_WORSE_DESCRIPTIONS="1", ANTHROPIC_API_KEY="")
    assert code == 1, out
    assert "gate capability: block  pass@3 0.389" in out
    assert "gate recovery: pass" in out
