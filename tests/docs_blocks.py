"""Read the fenced blocks of a Markdown page, and do what they say.

The blocks of a page build one project folder, from top to bottom. What a block is
stands in its info string:

* ``LANGUAGE FILE``: the block is that file. Policies, contracts and waivers are loaded.
* ``console``: lines that start with ``$`` are run; the lines below one are what it
  prints, ``...`` standing for anything. A command with nothing below it must succeed.
  ``$ echo $?`` shows the exit code of the command before.
* ``text``: a part of what the page's last command printed, again with ``...``.
* ``python``: a script, run in the folder; ``pycon``: a doctest.
* ``not-run: REASON`` after the language: the block is only shown.

Test files that no command has run by the end of the page are run with ``--agentgate``
and must ship.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from tests.conftest import child_environment

from pytest_agentgate.store.policy import load_contracts, load_policy
from pytest_agentgate.store.waivers import Waivers

FENCE = re.compile(r"^( *)(`{3,})([^`\n]*)\n(.*?)^\1\2 *$", re.MULTILINE | re.DOTALL)
NOT_RUN = "not-run:"
# A reader who installs the plugin has pytest and nothing else.
OTHERS = (
    "randomly",
    "asyncio",
    "anyio",
    "rerunfailures",
    "html",
    "metadata",
    "timeout",
    "pytest_cov",
    "hypothesispytest",
    "cacheprovider",
)


@dataclass(frozen=True)
class Block:
    """One fenced block.

    Attributes:
        line: where it starts in the page.
        language: the first word of its info string.
        rest: the other words.
        text: its content.
    """

    line: int
    language: str
    rest: str
    text: str

    @property
    def is_run(self) -> bool:
        return not self.rest.startswith(NOT_RUN)


def blocks_of(page: str) -> list[Block]:
    """Return a page's fenced blocks, in order."""
    found = []
    for match in FENCE.finditer(page):
        indent, _, info, text = match.groups()
        language, _, rest = info.strip().partition(" ")
        if indent:
            text = re.sub(rf"^{indent}", "", text, flags=re.MULTILINE)
        line = page.count("\n", 0, match.start()) + 1
        found.append(Block(line, language, rest.strip(), text))
    return found


def matches(wanted: str, printed: str) -> bool:
    """Whether a text was printed, ``...`` in it standing for anything."""
    wanted, printed = (_tidy(text) for text in (wanted, printed))
    return doctest.OutputChecker().check_output(wanted, printed, doctest.ELLIPSIS)


def _tidy(text: str) -> str:
    lines = [line.rstrip() for line in text.strip().splitlines()]
    # Alone on its line, "..." also stands for no line at all.
    return re.sub(r"(?m)^\.\.\.\n", "...", "\n".join(lines) + "\n")


@dataclass
class Project:
    """The folder that a page builds, and what its commands print.

    Attributes:
        folder: where the files are.
        printed: what the last command printed.
        code: its exit code.
        unrun: test files that no command has run yet.
        names: what the page's doctests have defined.
    """

    folder: Path
    printed: str = ""
    code: int = 0
    unrun: list[str] = field(default_factory=list)
    names: dict[str, object] = field(default_factory=dict)

    def do(self, block: Block) -> None:
        """Do what a block says.

        Raises:
            AssertionError: it does not do what the page says.
        """
        if not block.is_run:
            reason = block.rest.removeprefix(NOT_RUN).strip()
            assert len(reason) > 8, "a block that is not run must say why"
        elif block.language == "console":
            self._console(block.text)
        elif block.rest:
            self._write(block)
        else:
            self._without_a_name(block)

    def finish(self) -> None:
        """Run the test files that no command has run."""
        if self.unrun:
            self._run(f"pytest --agentgate {' '.join(self.unrun)}")
            assert self.code == 0, self.printed

    def _without_a_name(self, block: Block) -> None:
        if block.language == "text":
            assert matches(f"...{block.text.strip()}...", self.printed), self.printed
        elif block.language == "python":
            (self.folder / ".script.py").write_text(block.text, "utf-8")
            self._run("python .script.py")
            assert self.code == 0, self.printed
        elif block.language == "pycon":
            parser, runner = (
                doctest.DocTestParser(),
                doctest.DocTestRunner(verbose=False),
            )
            test = parser.get_doctest(block.text, self.names, "page", None, 0)
            failed = runner.run(test, clear_globs=False).failed
            self.names = test.globs
            assert not failed, "the doctest's output is above"
        else:
            raise AssertionError(f"a {block.language!r} block without a file name")

    def _write(self, block: Block) -> None:
        path = self.folder / block.rest
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, "utf-8")
        if path.suffix in (".yaml", ".yml"):
            _load(path)
        if path.name.startswith("test_"):
            self.unrun.append(block.rest)

    def _console(self, text: str) -> None:
        parts = re.split(r"^\$ (.*(?:\\\n.*)*)\n?", text, flags=re.MULTILINE)
        assert not parts[0].strip(), "a console block starts with a command"
        for command, shown in zip(parts[1::2], parts[2::2], strict=True):
            if command == "echo $?":
                assert shown.strip() == str(self.code), f"exit code {self.code}"
                continue
            self._run(command)
            if shown.strip():
                assert matches(shown, self.printed), f"$ {command}\n{self.printed}"
            else:
                assert self.code == 0, f"$ {command}\n{self.printed}"

    def _run(self, command: str) -> None:
        if re.match(r"(python -m )?pytest\b(?!-)", command):
            self.unrun.clear()
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=60,
            check=False,
        )
        self.printed, self.code = done.stdout, done.returncode


def _environment() -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    options = " ".join(f"-p no:{name}" for name in OTHERS)
    own = {"PATH": path, "PYTEST_ADDOPTS": options, "COLUMNS": "80", "NO_COLOR": "1"}
    return child_environment() | own


def _load(path: Path) -> None:
    if "agentgate" in path.name:
        load_policy(path)
    elif path.name == "waivers.yaml":
        Waivers.load(path)
    elif path.name == "contracts.yaml":
        load_contracts(path)
    else:
        yaml.safe_load(path.read_text("utf-8"))
