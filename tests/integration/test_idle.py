"""A session that does not use the plugin must not notice it."""

from __future__ import annotations

import pytest

AT_THE_END = """
import sys

def pytest_unconfigure(config):
    ours = sorted(name for name in sys.modules if name.startswith("pytest_agentgate"))
    others = {"pydantic", "jsonschema", "yaml", "anthropic", "mcp", "httpx", "asyncio"}
    print("LOADED", ours, sorted(others & set(sys.modules)))
"""


@pytest.mark.parametrize("option", [[], ["--collect-only"], ["-x", "--lf"]])
def test_nothing_is_loaded_to_the_end_of_an_unused_session(child, option):
    files = {
        "test_it.py": "import pytest\n@pytest.mark.parametrize('x', range(3))\n"
        "def test_x(x): pass\n\nclass TestC:\n    def test_y(self): pass\n",
        "conftest.py": AT_THE_END,
    }
    result = child("-s", "-p", "no:xdist", *option, files=files)
    assert result.code == 0, result.out
    loaded = next(line for line in result.out.splitlines() if "LOADED" in line)
    assert loaded.partition("LOADED ")[2] == (
        "['pytest_agentgate', 'pytest_agentgate.plugin', "
        "'pytest_agentgate.plugin.hookspecs', 'pytest_agentgate.plugin.options'] []"
    )


def test_public_names_are_lazy_sorted_and_all_there(child):
    files = {
        "test_it.py": """
import sys
import pytest_agentgate

def test_x():
    assert pytest_agentgate.__all__ == sorted(pytest_agentgate.__all__)
    for name in pytest_agentgate.__all__:
        assert getattr(pytest_agentgate, name) is not None
    assert not hasattr(pytest_agentgate, "nothing")
"""
    }
    assert child(files=files).code == 0
