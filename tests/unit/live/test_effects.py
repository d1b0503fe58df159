"""States that probing looks at: real files, real databases."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pytest_agentgate.contract.settings import StateSettings
from pytest_agentgate.errors import TargetError
from pytest_agentgate.grading.probing import difference
from pytest_agentgate.live.effects import State, state_of


def state(folder: Path, functions: dict[str, Any] | None = None, **kind: str) -> State:
    settings = StateSettings(**kind)
    return state_of(settings, folder, (functions or {}).__getitem__)


def execute(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


class TestSqlite:
    def test_rows_count_and_bytes_do_not(self, tmp_path: Path) -> None:
        path = tmp_path / "a.db"
        execute(path, "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
        seen = state(tmp_path, sqlite="a.db")
        before, old = seen.look(), path.read_bytes()
        execute(path, "INSERT INTO t VALUES (2)", "DELETE FROM t WHERE a = 2")
        execute(path, "PRAGMA user_version = 7")
        assert path.read_bytes() != old
        assert seen.look() == before

    @pytest.mark.parametrize(
        ("statement", "told"),
        [
            ("INSERT INTO t VALUES (2)", "/t/rows/1: absent became [2]"),
            ("UPDATE t SET a = 'x'", "/t/rows/0/0: 1 became 'x'"),
            ("CREATE TABLE u (b)", "/u: absent became"),
            ("DELETE FROM t", "/t/rows/0: [1] became absent"),
        ],
    )
    def test_what_changed_is_told(
        self, tmp_path: Path, statement: str, told: str
    ) -> None:
        execute(tmp_path / "a.db", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")
        seen = state(tmp_path, sqlite="a.db")
        before = seen.look()
        execute(tmp_path / "a.db", statement)
        assert str(difference(before, seen.look())).startswith(told)

    def test_what_the_database_counts_for_itself(self, tmp_path: Path) -> None:
        path = tmp_path / "a.db"
        execute(path, "CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)")
        seen = state(tmp_path, sqlite="a.db")
        before = seen.look()
        execute(path, "INSERT INTO t VALUES (NULL)", "DELETE FROM t")
        assert seen.look() == before

    def test_strange_names_and_no_file(self, tmp_path: Path) -> None:
        seen = state(tmp_path, sqlite="a.db")
        assert seen.look() == {}
        execute(tmp_path / "a.db", 'CREATE TABLE "a "" b" (x)')
        assert list(seen.look()) == ['a " b']

    def test_no_database(self, tmp_path: Path) -> None:
        (tmp_path / "a.db").write_text("no database, but more than a hundred bytes\n")
        with pytest.raises(TargetError, match="cannot be read") as caught:
            state(tmp_path, sqlite="a.db").look()
        assert "file is not a database" in caught.value.seen


class TestFiles:
    def test_names_and_contents_count(self, tmp_path: Path) -> None:
        folder = tmp_path / "notes"
        (folder / "deep").mkdir(parents=True)
        (folder / "deep" / "a.md").write_text("a")
        seen = state(tmp_path, directory="notes")
        before = seen.look()
        (folder / "deep" / "a.md").write_text("a")
        assert seen.look() == before
        (folder / "deep" / "a.md").write_text("b")
        assert difference(before, seen.look()).path == "/deep/a.md"
        (folder / "deep" / "a.md").write_text("a")
        (folder / "b.md").symlink_to("nowhere")
        assert str(difference(before, seen.look())) == (
            "/b.md: absent became 'a link to nowhere'"
        )

    def test_json(self, tmp_path: Path) -> None:
        seen = state(tmp_path, json="a.json")
        assert seen.look() is None
        (tmp_path / "a.json").write_text('{"a": 1}')
        assert seen.look() == {"a": 1}
        (tmp_path / "a.json").write_text("{")
        with pytest.raises(TargetError, match="cannot be read"):
            seen.look()


class TestCallable:
    def test_is_copied(self, tmp_path: Path) -> None:
        live = {"a": [1]}
        seen = state(tmp_path, {"m:f": lambda: live}, callable="m:f")
        before = seen.look()
        live["a"].append(2)
        assert before == {"a": [1]}

    def test_that_raises(self, tmp_path: Path) -> None:
        seen = state(tmp_path, {"m:f": lambda: 1 / 0}, callable="m:f")
        with pytest.raises(TargetError, match="cannot be read") as caught:
            seen.look()
        assert caught.value.seen == "ZeroDivisionError: division by zero"


class TestVerify:
    def test_a_state_that_never_stands_still(self) -> None:
        ticks = iter(range(9))
        with pytest.raises(TargetError, match="changes by itself: nobody called"):
            State("clock", lambda: next(ticks)).verify()

    def test_a_reset_that_is_not_the_same_twice(self) -> None:
        held: list[int] = []
        with pytest.raises(TargetError, match="reset does not bring it back"):
            State("list", lambda: list(held), lambda: held.append(1)).verify()

    def test_a_reset_that_leaves_something(self) -> None:
        held = {"notes": [1], "log": []}
        seen = State("s", lambda: {k: list(v) for k, v in held.items()}, lambda: None)
        seen.verify()
        before = seen.look()
        held["log"].append(1)
        with pytest.raises(TargetError, match="does not undo a call") as caught:
            seen.bring_back(before)
        assert caught.value.seen == "/log/0: absent became 1"

    def test_a_reset_that_raises(self) -> None:
        with pytest.raises(TargetError, match="the reset of the state s raised"):
            State("s", lambda: 1, lambda: 1 / 0).verify()

    def test_a_good_one(self) -> None:
        held = [1]
        State(
            "s", lambda: list(held), lambda: held.__setitem__(slice(None), [1])
        ).verify()
