"""Files are read with a limit and written at one stroke."""

from __future__ import annotations

import os
import re
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_agentgate.errors import AgentGateError, PolicyError
from pytest_agentgate.store.files import (
    read_regular,
    slug,
    write_atomic,
    write_document,
)

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX files")


class TestWrite:
    def test_new_and_again(self, tmp_path: Path) -> None:
        path = tmp_path / "a.txt"
        write_atomic(path, "one\n")
        write_atomic(path, "zwei ü\r\n")
        assert path.read_bytes() == "zwei ü\r\n".encode()
        assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]

    def test_lone_surrogates(self, tmp_path: Path) -> None:
        write_atomic(tmp_path / "a", "x\udc80")
        assert (tmp_path / "a").read_text() == "x\\udc80"

    def test_a_document_has_its_lists_one_entry_a_line(self, tmp_path: Path) -> None:
        path = tmp_path / "a.json"
        write_document(path, {"version": 1, "rows": [{"a": 1}, {"b": "ü"}], "none": []})
        assert path.read_text().splitlines() == [
            "{",
            '"version": 1,',
            '"rows": [',
            '{"a": 1},',
            '{"b": "\\u00fc"}',
            "],",
            '"none": []',
            "}",
        ]

    @posix
    def test_permissions_stay(self, tmp_path: Path) -> None:
        path = tmp_path / "a"
        path.touch()
        path.chmod(0o640)
        write_atomic(path, "x")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640

    @posix
    def test_a_new_file_obeys_the_umask(self, tmp_path: Path) -> None:
        before = os.umask(0o027)
        try:
            write_atomic(tmp_path / "a", "x")
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640

    @posix
    def test_not_through_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "real").write_text("kept")
        link = tmp_path / "link"
        link.symlink_to("real")
        with pytest.raises(AgentGateError) as caught:
            write_atomic(link, "x")
        assert str(caught.value) == (
            f"{link} is a symbolic link\n"
            "  expected: a regular file, or none yet\n"
            "  seen:     a link to real\n"
            "  way out:  write to the file that it leads to, or remove the link"
        )
        assert (tmp_path / "real").read_text() == "kept"

    def test_no_folder(self, tmp_path: Path) -> None:
        path = tmp_path / "no" / "a"
        with pytest.raises(AgentGateError, match="cannot be written") as caught:
            write_atomic(path, "x")
        assert caught.value.way_out == (
            "check that the folder exists and may be written to"
        )

    def test_a_failure_leaves_the_old_text(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "a"
        path.write_text("old")

        def full(descriptor: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(AgentGateError) as caught:
            write_atomic(path, "new")
        assert caught.value.seen == "No space left on device"
        assert path.read_text() == "old"
        assert list(tmp_path.iterdir()) == [path]


class TestRead:
    def test_whole(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(b"12345")
        assert read_regular(tmp_path / "a", 5) == b"12345"

    def test_too_large(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(b"1" * 2000)
        with pytest.raises(PolicyError) as caught:
            read_regular(tmp_path / "a", 1000, error=PolicyError)
        assert str(caught.value) == (
            f"{tmp_path / 'a'} is too large\n"
            "  expected: at most 1,000 bytes\n"
            "  seen:     2,000 bytes\n"
            "  way out:  give the right file, or split it"
        )

    def test_missing(self, tmp_path: Path) -> None:
        with pytest.raises(AgentGateError, match="does not exist") as caught:
            read_regular(tmp_path / "a", 5)
        assert caught.value.seen == f"the folder {tmp_path} is there"
        with pytest.raises(AgentGateError) as caught:
            read_regular(tmp_path / "b" / "a", 5)
        assert caught.value.seen == f"no folder {tmp_path / 'b'}"

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(AgentGateError, match="not a regular file"):
            read_regular(tmp_path, 5)

    def test_a_null_in_the_name(self) -> None:
        with pytest.raises(AgentGateError, match="cannot be read"):
            read_regular(Path("a\0b"), 5)

    @posix
    def test_a_pipe_does_not_hang(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(AgentGateError, match="is not a regular file") as caught:
            read_regular(tmp_path / "pipe", 5)
        assert caught.value.seen == "a pipe"

    @posix
    def test_links_only_where_allowed(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(b"x")
        (tmp_path / "link").symlink_to("a")
        with pytest.raises(AgentGateError, match="is a symbolic link"):
            read_regular(tmp_path / "link", 5)
        assert read_regular(tmp_path / "link", 5, follow=True) == b"x"


class TestSlug:
    def test_readable_and_unique(self) -> None:
        one = slug("tests/test_a.py::test_tool[query/1]")
        assert one.startswith("tests-test_a.py-test_tool-query-1-")
        assert one != slug("tests/test_a.py::test_tool[query 1]")
        assert slug("Case") != slug("case")

    def test_nothing_readable(self) -> None:
        assert re.fullmatch(r"[0-9a-f]{16}", slug("../../"))

    @given(st.text(alphabet=st.characters(), max_size=300))
    def test_always_a_file_name(self, text: str) -> None:
        assert re.fullmatch(r"(?:[\w.-]{1,40}-)?[0-9a-f]{16}", slug(text), re.ASCII)
        assert not slug(text).startswith(".")
