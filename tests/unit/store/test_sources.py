"""The literals of a tool layer, by its imports."""

from __future__ import annotations

from pytest_agentgate.store.sources import literals


def told(root, module):
    return [
        (entry.where, entry.text or entry.phrases)
        for entry in literals(root, module)
        if entry.text or entry.phrases
    ]


def write(root, **files):
    for name, text in files.items():
        path = root / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_literals_and_whole_collections(tmp_path):
    write(
        tmp_path,
        tools='"""Doc."""\nA = "one"\nB = {"k": ["x y", "z"], "n": 1}\n'
        'def f():\n    """Doc."""\n    return f"two {A} three"\n',
    )
    assert sorted(told(tmp_path, "tools"), key=str) == [
        ("tools.py:2", "one"),
        ("tools.py:3", "k"),
        ("tools.py:3", "n"),
        ("tools.py:3", "x y"),
        ("tools.py:3", "z"),
        ("tools.py:3", ("k", "n", "x y", "z")),
        ("tools.py:6", " three"),
        ("tools.py:6", "two "),
    ]


def test_a_pattern_and_lines_are_collections(tmp_path):
    write(tmp_path, tools='P = r"(a b|c d|e f)"\n')
    assert ("tools.py:1", ("a b", "c d", "e f")) in told(tmp_path, "tools")


def test_what_a_function_looks_for_is_a_collection(tmp_path):
    source = """
def kind(query):
    if "label enum" in query or query in ("x", "y"):
        return "projects"
    return "notes" if "tool fails" in query else None
"""
    write(tmp_path, tools=source)
    assert ("tools.py:2", ("label enum", "tool fails")) in told(tmp_path, "tools")


def test_imports_are_followed_tests_and_strangers_are_not(tmp_path):
    (tmp_path / "agent" / "sub").mkdir(parents=True)
    (tmp_path / "agent" / "__init__.py").write_text('I = "init"\n')
    (tmp_path / "agent" / "sub" / "__init__.py").write_text('S = "sub"\n')
    write(
        tmp_path,
        agent__tools='import json\nfrom . import a\nfrom .sub import b as c\nT = "t"\n',
        agent__a='from agent import nothing\nimport beside\nA = "a"\n',
        agent__sub__b='from ..a import A\nfrom ... import far\nB = "b"\n',
        agent__evals='E = "prompts of an evaluation"\n',
        agent__test_tools='X = "test"\n',
        beside='from agent import test_tools\nN = "beside"\n',
    )
    texts = {text for _, text in told(tmp_path, "agent.tools")}
    assert texts == {"init", "sub", "t", "a", "b", "beside"}


def test_what_cannot_be_read_is_left_out(tmp_path):
    write(tmp_path, tools='import broken, deep, gone\nT = "t"\n', broken="def (")
    (tmp_path / "deep.py").write_text("x = " + "(" * 5_000)
    assert told(tmp_path, "tools") == [("tools.py:2", "t")]
    assert told(tmp_path, "gone") == []
