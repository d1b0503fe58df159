"""The docs are true: every block runs, every link and every named page is there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.conftest import ROOT
from tests.docs_blocks import Project, blocks_of, matches

import pytest_agentgate
from pytest_agentgate.cli import explain, main
from pytest_agentgate.contract.tool import Redaction, ToolContract
from pytest_agentgate.gate.facts import RunFacts
from pytest_agentgate.gate.manifest import conclude
from pytest_agentgate.gate.outcome import TrialRecord
from pytest_agentgate.gate.plan import Plan
from pytest_agentgate.gate.rules import RUN_RULES
from pytest_agentgate.grading.failure import describe
from pytest_agentgate.grading.registry import Example
from pytest_agentgate.grading.rules import built_in
from pytest_agentgate.plugin.fixtures import AgentGate
from pytest_agentgate.plugin.marks import SIGNATURE
from pytest_agentgate.plugin.options import OPTIONS
from pytest_agentgate.reports import rule_page
from pytest_agentgate.store.contracts import ContractsFile
from pytest_agentgate.store.policy import Policy
from pytest_agentgate.store.policy_schema import policy_schema
from pytest_agentgate.store.waivers import Waiver, WaiversFile

DOCS = ROOT / "docs"
PACKAGE = Path(pytest_agentgate.__file__).parent
MADE = sorted(f"docs/rules/{entry.id}.md" for entry in (*built_in(), *RUN_RULES))
PAGES = [
    *("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"),
    *sorted(str(path.relative_to(ROOT)) for path in DOCS.rglob("*.md")),
]
ABOUT_RUNS = {
    f"docs/rules/{entry.id}.md"
    for entry in (*built_in(), *RUN_RULES)
    if entry.bad is None
}
WRITTEN = [page for page in PAGES if page not in MADE]
NEEDS = {
    "docs/how-to/gate-an-mcp-server.md": "mcp",
    "docs/how-to/run-in-ci.md": "xdist",
}
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def read(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def anchors(page: str) -> set[str]:
    """The anchors that a forge makes of a page's headings."""
    text = re.sub(r"```.*?```", "", read(page), flags=re.DOTALL)
    heads = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    words = (re.sub(r"[^\w\- ]", "", head.lower()) for head in heads)
    return {word.strip().replace(" ", "-") for word in words}


@pytest.mark.parametrize("page", [page for page in WRITTEN if blocks_of(read(page))])
def test_every_block_runs(page, tmp_path):
    module = NEEDS.get(page)
    if module and not find_spec(module):
        pytest.skip(f"{module} is not installed")
    project = Project(tmp_path)
    for block in blocks_of(read(page)):
        try:
            project.do(block)
        except AssertionError as error:
            raise AssertionError(f"{page}:{block.line}: {error}") from None
    project.finish()


def test_few_blocks_are_only_shown():
    blocks = [block for page in WRITTEN for block in blocks_of(read(page))]
    shown = [block for block in blocks if not block.is_run]
    assert len(shown) <= 12


@pytest.mark.parametrize("page", [p for p in MADE if p not in ABOUT_RUNS])
def test_a_rule_page_shows_what_its_rule_does(page):
    rule_id = Path(page).stem
    blocks = blocks_of(read(page))
    names = {name: getattr(pytest_agentgate, name) for name in dir(pytest_agentgate)}
    calls = [block.text for block in blocks if block.language == "python"]
    said = [block.text for block in blocks if block.language == "text"]
    names["grade"] = partial(pytest_agentgate.grade, rules=[rule_id])
    for name in ("grade_contract", "grade_catalogue"):
        names[name] = partial(getattr(pytest_agentgate, name), rules=[rule_id])
    graded = [eval(call, names) for call in calls]
    assert [bool(one.findings) for one in graded] == [True, False][: len(graded)]
    assert describe(graded[0].findings[0]) == said[0].strip()


def test_the_rule_pages_are_current(tmp_path, capsys):
    assert main(["explain", "--markdown", str(tmp_path)]) == 0
    made = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    there = {name: read(f"docs/rules/{name}") for name in made}
    assert made == there, "run: pytest-agentgate explain --markdown docs/rules"
    assert f"wrote {len(MADE)} rule pages" in capsys.readouterr().out


@pytest.mark.parametrize(
    "value",
    [
        {"a": [1, None, True, 2.5], "b": ("x",), "c": ()},
        {"long": ("x y " * 40,), "quotes": 'it\'s "so"', "lines": "a\nb\ud800"},
        {"twice": "head" + "ab" * 500, "names": frozenset({"b", "a"})},
        ToolContract(name="t", side_effect="read_only", redaction=("a" * 90,)),
    ],
)
def test_an_example_is_written_as_the_expression_that_makes_it(value):
    entry = next(iter(built_in()))
    text = rule_page.shown(entry, Example(value))
    names = {"grade": lambda subject: subject, "ToolContract": ToolContract}
    names["Redaction"] = Redaction
    assert eval(text, names) == value


def test_explain_prints_a_page_a_family_or_the_list(capsys):
    assert main(["explain", "envelope.status"]) == 0
    page = capsys.readouterr().out
    assert read("docs/rules/envelope.status.md") == explain.MADE + page
    assert main(["explain", "recovery"]) == 0
    assert capsys.readouterr().out.count("**Fails when:**") == 9
    assert main(["explain"]) == 0
    assert "| [`envelope.status`](envelope.status.md) | error |" in (
        capsys.readouterr().out
    )


def test_explain_of_an_unknown_rule(capsys):
    assert main(["explain", "recovery.stop"]) == 4
    said = capsys.readouterr().err
    assert "no rule or family is called 'recovery.stop'" in said
    assert "did you mean 'recovery.stop-condition'?" in said


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page):
    text = re.sub(r"```.*?```", "", read(page), flags=re.DOTALL)
    for link in LINK.findall(text):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / page).parent / path if path else ROOT / page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(str(target.resolve().relative_to(ROOT))), link


def test_every_page_is_linked_from_an_index():
    linked = {ROOT / page for page in PAGES[:4]}
    for page in ("README.md", "docs/README.md", "docs/rules/README.md"):
        folder = (ROOT / page).parent
        links = (link.partition("#")[0] for link in LINK.findall(read(page)))
        linked |= {(folder / link).resolve() for link in links}
    assert [page for page in PAGES if ROOT / page not in linked] == []


def named_pages() -> set[str]:
    """Every page and anchor that a message or docstring in the package names."""
    named: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text("utf-8")
        named |= set(re.findall(r"docs/[\w/.-]+\.md(?:#[\w-]+)?", text))
        own = re.search(r'^DOCS = "([^"]+)"', text, flags=re.MULTILINE)
        for anchor in re.findall(r"\{DOCS\}(#[\w-]+)", text):
            named.add(own[1] + anchor)
    for model, page in (
        (Policy, "policy"),
        (ContractsFile, "contracts"),
        (WaiversFile, "waivers"),
    ):
        named |= {f"docs/reference/{page}.md#{key}" for key in model.model_fields}
    # expect() prints these; they are no rules of the registry yet.
    source = (PACKAGE / "trajectory/expectations.py").read_text("utf-8")
    named |= {f"docs/rules/{i}.md" for i in re.findall(r"trajectory\.[a-z-]+", source)}
    return named


@pytest.mark.parametrize("name", sorted(named_pages()))
def test_what_messages_name_is_there(name):
    page, _, anchor = name.partition("#")
    assert (ROOT / page).exists()
    assert not anchor or anchor in anchors(page)


def missing(page: str, words: Iterable[str]) -> list[str]:
    """The words that a reference page has in no code and no heading."""
    text = read(f"docs/reference/{page}.md")
    told = " ".join(re.findall(r"`[^`\n]*|^## .*$", text, flags=re.MULTILINE))
    return [w for w in words if not re.search(rf"(?<![\w-]){w}(?![\w-])", told)]


def test_reference_of_the_marker_has_its_signature():
    assert SIGNATURE in " ".join(read("docs/reference/marker.md").split())


def test_reference_of_the_fixture_names_every_method():
    methods = [name for name in vars(AgentGate) if not name.startswith("_")]
    assert not missing("fixture", methods)


def test_reference_of_the_options_names_every_option_and_ini_key():
    names = [name for option in OPTIONS for name in (option.flag, option.name)]
    assert not missing("options", names)


def test_reference_of_the_policy_names_every_key():
    keys = set()
    for schema in (policy_schema(), *policy_schema()["$defs"].values()):
        keys |= set(schema.get("properties", ()))
    assert not missing("policy", keys)


def test_reference_of_contracts_and_waivers_names_every_key():
    assert not missing("contracts", set(ToolContract.model_fields) - {"name"})
    assert not missing("waivers", Waiver.model_fields)


def test_reference_of_the_manifest_names_every_key():
    empty = conclude({}, Plan(gates={}, tasks=()), {}, RunFacts()).to_json()
    assert not missing("manifest", [*empty, *TrialRecord.__dataclass_fields__])


def test_architecture_is_one_page_and_names_every_part():
    text = read("ARCHITECTURE.md")
    assert len(text.splitlines()) <= 80
    parts = {
        f"  {path.name}{'/' if path.is_dir() else ''} "
        for path in PACKAGE.iterdir()
        if path.name not in ("__pycache__", "py.typed")
    }
    assert [part for part in sorted(parts) if part not in text] == []


@pytest.mark.parametrize(
    ("wanted", "printed", "same"),
    [
        ("a\n...\nc", "a\nb\nc", True),
        ("a\n...\nc", "a\nc", True),
        ("a ... c", "a b c", True),
        ("a\nc", "a\nb\nc", False),
        ("a\n...\nd", "a\nb\nc", False),
        ("", "something", False),
    ],
)
def test_comparing_what_is_shown_with_what_is_printed(wanted, printed, same):
    assert matches(wanted, printed) is same
