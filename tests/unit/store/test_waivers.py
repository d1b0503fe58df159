"""Waivers hold for their rule and tool, through their last day, and are tracked."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_agentgate.errors import AgentGateError, PolicyError
from pytest_agentgate.grading.finding import Finding
from pytest_agentgate.store.waivers import Waiver, Waivers, write_waivers

DAY = datetime.date(2027, 1, 31)
LATER = DAY + datetime.timedelta(days=1)


def waiver(rule: str = "a.b", tool: str = "search", owner: str = "ann") -> Waiver:
    return Waiver(rule=rule, tool=tool, owner=owner, expires=DAY)


def finding(rule: str = "a.b", tool: str = "search") -> Finding:
    return Finding("wrong", rule=rule, tool=tool)


class TestApplying:
    def test_through_the_last_day(self) -> None:
        waivers = Waivers([waiver()])
        assert waivers.apply(finding(), DAY).waived == "ann until 2027-01-31"
        assert waivers.apply(finding(), LATER) == finding()

    @pytest.mark.parametrize("other", [finding("a.c"), finding("a.b", "delete")])
    def test_others_stay(self, other: Finding) -> None:
        waivers = Waivers([waiver()])
        assert waivers.apply(other, DAY) is other
        assert waivers.used == set()

    def test_any_tool_comes_last(self) -> None:
        waivers = Waivers([waiver(tool="*", owner="all"), waiver()])
        assert waivers.apply(finding(), DAY).waived.startswith("ann")
        assert waivers.apply(finding(tool="x"), DAY).waived.startswith("all")
        assert waivers.used == {("a.b", "search"), ("a.b", "x")}

    def test_a_waived_finding_fails_no_trial(self) -> None:
        assert finding().fails_trial
        assert not Waivers([waiver()]).apply(finding(), DAY).fails_trial

    def test_expired_and_unused(self) -> None:
        one, two, any_tool = waiver(), waiver("a.c"), waiver("d.e", "*")
        waivers = Waivers([one, two, any_tool])
        assert waivers.expired(DAY) == ()
        assert waivers.expired(LATER) == (one, two, any_tool)
        assert waivers.unused([("a.b", "search"), ("d.e", "x")], DAY) == (two,)
        assert waivers.unused([], LATER) == ()

    def test_none(self) -> None:
        assert len(Waivers.none()) == 0
        assert Waivers.none().apply(finding(), DAY) == finding()


class TestFiles:
    def test_written_and_read(self, tmp_path: Path) -> None:
        path = tmp_path / "waivers.yaml"
        write_waivers(path, [waiver("recovery.stop-condition", "search")])
        write_waivers(path, [waiver("envelope.lean", "*", "no")])
        assert path.read_text().partition("version")[2] == (
            ": 1\n"
            "waivers:\n"
            "  - rule: envelope.lean\n"
            '    tool: "*"\n'
            '    owner: "no"\n'
            "    expires: 2027-01-31\n"
            "  - rule: recovery.stop-condition\n"
            '    tool: "search"\n'
            '    owner: "ann"\n'
            "    expires: 2027-01-31\n"
        )
        assert [entry.rule for entry in Waivers.load(path)] == [
            "recovery.stop-condition",
            "envelope.lean",
        ]

    def test_the_same_again_replaces(self, tmp_path: Path) -> None:
        path = tmp_path / "waivers.yaml"
        write_waivers(path, [waiver(owner="ann"), waiver("x.y")])
        write_waivers(path, [waiver(owner="bob")])
        assert {entry.rule: entry.owner for entry in Waivers.load(path)} == {
            "a.b": "bob",
            "x.y": "ann",
        }

    def test_nothing_to_write(self, tmp_path: Path) -> None:
        path = tmp_path / "waivers.yaml"
        write_waivers(path, [])
        assert len(Waivers.load(path)) == 0

    def test_what_cannot_be_read_is_kept(self, tmp_path: Path) -> None:
        path = tmp_path / "waivers.yaml"
        path.write_text("version: 9\n")
        with pytest.raises(PolicyError, match="version must be 1"):
            write_waivers(path, [waiver()])
        assert path.read_text() == "version: 9\n"

    def test_not_through_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "real").write_text("version: 1\n")
        (tmp_path / "waivers.yaml").symlink_to("real")
        with pytest.raises(AgentGateError, match="is a symbolic link"):
            write_waivers(tmp_path / "waivers.yaml", [waiver()])

    @given(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
    )
    def test_any_text_survives(
        self, tmp_path_factory: pytest.TempPathFactory, reason: str, owner: str
    ) -> None:
        if not owner.strip():
            owner = "x"
        entry = Waiver(
            rule="a.b", tool="t", owner=owner, expires="2027-01-31", reason=reason
        )
        path = tmp_path_factory.mktemp("w") / "waivers.yaml"
        write_waivers(path, [entry])
        assert list(Waivers.load(path)) == [entry]

    @pytest.mark.parametrize(
        ("entry", "problem", "expected"),
        [
            (
                "{rule: a.b, tool: t, owner: o, expires: 2026-02-30}",
                "3: waivers[0].expires: not a date",
                "YYYY-MM-DD",
            ),
            (
                "{rule: a.b, tool: t, owner: o, expires: 20260203}",
                "3: waivers[0].expires: not a date",
                "YYYY-MM-DD",
            ),
            (
                '{rule: a.b, tool: t, owner: " ", expires: 2026-02-03}',
                "3: waivers[0].owner: blank",
                "some text",
            ),
            (
                "{rule: a.b, tool: t, expires: 2026-02-03}",
                "3: key 'owner' is missing in waivers[0]",
                "owner: ...",
            ),
            (
                "{rule: a.b, tool: t, owner: o, expire: 2026-02-03}",
                "3: unknown key 'expire' in waivers[0] (and 1 more problem)",
                "one of: expires, owner, reason, rule, tool",
            ),
        ],
    )
    def test_refused(
        self, tmp_path: Path, entry: str, problem: str, expected: str
    ) -> None:
        path = tmp_path / "waivers.yaml"
        path.write_text(f"version: 1\nwaivers:\n  - {entry}\n")
        with pytest.raises(PolicyError) as caught:
            Waivers.load(path)
        assert caught.value.problem == f"waivers.yaml:{problem}"
        assert caught.value.expected == expected

    def test_twice_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "waivers.yaml"
        entry = "  - {rule: a.b, tool: t, owner: o, expires: 2026-02-03}\n"
        path.write_text(f"version: 1\nwaivers:\n{entry}{entry}")
        with pytest.raises(PolicyError) as caught:
            Waivers.load(path)
        assert str(caught.value) == (
            "waivers.yaml:4: a.b is waived twice for tool 't'\n"
            "  expected: one waiver for a rule and tool\n"
            "  seen:     another on line 3\n"
            "  way out:  remove one of them\n"
            "  docs:     docs/reference/waivers.md"
        )
