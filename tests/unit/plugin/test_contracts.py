"""Names of tools as parts of ids: plain, short, and never mistaken for another."""

from __future__ import annotations

import pytest

from pytest_agentgate.plugin.contracts import NAME_LIMIT, shown
from pytest_agentgate.plugin.trials import task_id, trial_number

NAMES = [
    "search_kb",
    "git.log-all",
    "",
    "a[b]",
    "a::b",
    "a/b\\c",
    "a b\n",
    "é\ud800",
    "x" * 500,
    "x" * 499 + "y",
    "trial2",
    "a-trial2",
]


@pytest.mark.parametrize("name", NAMES)
def test_an_id_is_read_back_as_task_and_trial(name):
    task = f"agentgate.yaml::contract[{shown(name)}]"
    nodeid = f"{task[:-1]}-trial3]"
    assert (task_id(nodeid), trial_number(nodeid)) == (task, 3)
    assert nodeid.isascii()
    assert nodeid.isprintable()
    assert nodeid.count("::") == 1
    assert len(shown(name)) <= NAME_LIMIT + 9


def test_different_names_are_shown_differently():
    assert len(set(map(shown, [*NAMES, "a\\x5bb\\x5d"]))) == len(NAMES) + 1
    assert shown("search_kb") == "search_kb"
    assert shown("a[b]") == r"a\x5bb\x5d"
