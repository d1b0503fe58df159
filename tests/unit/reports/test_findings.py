"""Findings in every form that ``--format`` names, hostile texts included."""

from __future__ import annotations

import json

import pytest

from pytest_agentgate.grading.finding import Finding
from pytest_agentgate.grading.grader import GraderError
from pytest_agentgate.reports.findings import FindingReport, summary
from pytest_agentgate.reports.forms import FORMATS

HOSTILE = "x\r\n::error file=a::owned\x1b[2J%0A::warning::too"


def finding(rule: str = "contract.version", **more) -> Finding:
    fields = {"tool": "search", "seen": "none", "way_out": "add one"}
    return Finding(rule=rule, **({"message": "no version"} | fields | more))


def report(*findings: Finding, **more) -> FindingReport:
    fields = {"verb": "lint", "source": "shop:TOOLS", "tools": ("search", "buy")}
    return FindingReport(findings=findings, **(fields | more))


def written(form: str, *findings: Finding, **more) -> str:
    return FORMATS[form](report(*findings, **more))


class TestText:
    def test_a_finding_stands_under_its_tool_in_four_lines(self):
        assert written("text", finding(path="/version")).splitlines() == [
            "search",
            "  error  contract.version: no version",
            "    seen:    none (at /version)",
            "    way out: add one",
            "    docs:    docs/rules/contract.version.md",
            "2 tools: 1 error, 0 warnings, 0 waived",
        ]

    def test_a_tool_is_named_once_and_the_catalogue_has_a_name(self):
        text = written("text", finding(), finding("contract.timeout"), finding(tool=""))
        assert text.count("search\n") == 1
        assert "(the catalogue)\n" in text

    def test_a_waived_finding_is_shown_and_counted(self):
        text = written("text", finding(waived="ann until 2099-01-01"))
        assert "  waived by ann until 2099-01-01  contract.version: no version" in text
        assert "way out" not in text
        assert text.endswith("2 tools: 0 errors, 0 warnings, 1 waived")

    def test_rules_that_raised_and_notes_are_said(self):
        errors = (GraderError("house.queue", "KeyError: 'x'"),)
        text = written("text", errors=errors, notes=("not probed: buy",))
        assert text.splitlines() == [
            "rule house.queue raised: KeyError: 'x'",
            "not probed: buy",
            "2 tools: 0 errors, 0 warnings, 0 waived, 1 rule raised",
        ]

    def test_no_text_of_a_tool_reaches_the_terminal_as_it_is(self):
        hostile = finding(message=HOSTILE, seen=HOSTILE, tool=HOSTILE, way_out=HOSTILE)
        text = written("text", hostile)
        assert "\x1b" not in text
        assert not any(line.startswith("::") for line in text.splitlines())


@pytest.mark.parametrize(
    ("findings", "said"),
    [
        ([], "2 tools: 0 errors, 0 warnings, 0 waived"),
        ([finding(severity="review")], "0 errors, 1 for review, 0 warnings"),
        ([finding(verdict="abstain")] * 2, "0 errors, 0 warnings, 2 not told"),
        ([finding(severity="warning")], "0 errors, 1 warning, 0 waived"),
    ],
)
def test_the_count_at_the_end(findings, said):
    assert said in summary(report(*findings))


def test_json_carries_everything_that_a_program_needs():
    content = json.loads(
        written("json", finding(path="/a"), places={"search": ("shop.py", 7)})
    )
    assert content.pop("findings") == [
        {
            "rule": "contract.version",
            "tool": "search",
            "severity": "error",
            "verdict": "fail",
            "message": "no version",
            "expected": "",
            "seen": "none",
            "way_out": "add one",
            "path": "/a",
            "waived": "",
            "docs": "docs/rules/contract.version.md",
            "file": "shop.py",
            "line": 7,
        }
    ]
    assert content == {
        "version": 1,
        "verb": "lint",
        "source": "shop:TOOLS",
        "tools": ["search", "buy"],
        "counts": {"error": 1, "review": 0, "warning": 0, "abstain": 0, "waived": 0},
        "errors": [],
        "notes": [],
    }


def test_json_is_ascii_whatever_a_tool_is_called():
    text = written("json", finding(tool="\udc80ü"))
    assert text.isascii()
    assert json.loads(text)["findings"][0]["file"] is None


class TestGitHub:
    def test_an_annotation_has_file_line_title_and_all_parts(self):
        text = written("github", finding(), places={"search": ("a/b,c.py", 3)})
        assert text.splitlines() == [
            "::error file=a/b%2Cc.py,line=3,title=contract.version search::"
            "no version%0Aseen: none%0Away out: add one"
            "%0Adocs: docs/rules/contract.version.md",
            "2 tools: 1 error, 0 warnings, 0 waived",
        ]

    @pytest.mark.parametrize(
        ("more", "command"),
        [
            ({}, "error"),
            ({"severity": "review"}, "warning"),
            ({"severity": "warning"}, "warning"),
            ({"verdict": "abstain"}, "warning"),
            ({"waived": "ann until 2099-01-01"}, "notice"),
        ],
    )
    def test_commands_by_severity(self, more, command):
        assert written("github", finding(**more)).startswith(f"::{command} title=")

    def test_a_hostile_text_neither_ends_a_command_nor_starts_one(self):
        hostile = finding(
            message=HOSTILE, seen=HOSTILE, tool=HOSTILE, way_out=HOSTILE, rule="a.b"
        )
        errors = (GraderError("a.b", HOSTILE),)
        text = written("github", hostile, errors=errors, notes=(HOSTILE,))
        lines = text.splitlines()
        assert [line.partition(" ")[0] for line in lines] == [
            "::error",
            "::error",
            "::notice::x\\r\\n::error",
            "2",
        ]
        properties, _, message = lines[0].removeprefix("::error ").partition("::")
        assert properties.startswith("title=a.b x\\r\\n%3A%3Aerror file=a%3A%3Aowned")
        assert "%250A" in message
        assert "\x1b" not in text


class TestGitLab:
    def entries(self, *findings, **more):
        return json.loads(written("gitlab", *findings, **more))

    def test_an_entry_has_what_the_schema_asks_for(self):
        (entry,) = self.entries(finding(), places={"search": ("shop.py", 7)})
        assert len(entry.pop("fingerprint")) == 64
        assert entry == {
            "description": "search: no version",
            "check_name": "contract.version",
            "severity": "blocker",
            "location": {"path": "shop.py", "lines": {"begin": 7}},
        }

    def test_an_entry_without_a_file_points_at_the_policy(self):
        (entry,) = self.entries(finding())
        assert entry["location"] == {"path": "agentgate.yaml", "lines": {"begin": 1}}

    @pytest.mark.parametrize(
        ("more", "severity"),
        [
            ({"severity": "review"}, "major"),
            ({"severity": "warning"}, "minor"),
            ({"waived": "ann until 2099-01-01"}, "info"),
        ],
    )
    def test_severities(self, more, severity):
        assert self.entries(finding(**more))[0]["severity"] == severity

    def test_a_fingerprint_stays_when_the_wording_changes(self):
        old, new = finding(), finding(message="there is no version", seen="nothing")
        assert (
            self.entries(old)[0]["fingerprint"] == self.entries(new)[0]["fingerprint"]
        )

    def test_fingerprints_tell_tools_rules_places_and_repetitions_apart(self):
        found = [
            finding(),
            finding(),
            finding(tool="buy"),
            finding("contract.timeout"),
            finding(path="/a"),
        ]
        errors = (GraderError("a.b", "boom"),)
        entries = self.entries(*found, errors=errors)
        assert len({entry["fingerprint"] for entry in entries}) == 6
