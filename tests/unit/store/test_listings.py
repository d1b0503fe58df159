"""What names a list of tools, or a text."""

from __future__ import annotations

import pytest

from pytest_agentgate.errors import PolicyError
from pytest_agentgate.store.listings import LISTING_BYTES, read_listing, read_text


def over_mcp(server: str) -> list[dict[str, str]]:
    return [{"name": server}]


@pytest.mark.parametrize("server", ["python server.py", "http://127.0.0.1:1/mcp"])
def test_a_live_server(tmp_path, server):
    assert read_listing(f"mcp:{server}", tmp_path, over_mcp) == [{"name": server}]


def test_a_file_and_a_reference(tmp_path):
    (tmp_path / "tools.json").write_text('{"tools": [{"name": "t"}]}')
    assert read_listing("tools.json", tmp_path, over_mcp) == {"tools": [{"name": "t"}]}
    (tmp_path / "listing_module.py").write_text("TOOLS = [1]")
    assert read_listing("listing_module:TOOLS", tmp_path, over_mcp) == [1]


@pytest.mark.parametrize("content", ["", "[", "[" * 100_000, "\x00"])
def test_a_file_that_is_no_json(tmp_path, content):
    (tmp_path / "tools.json").write_text(content, "utf-8")
    with pytest.raises(PolicyError, match=r"tools\.json is not JSON"):
        read_listing("tools.json", tmp_path, over_mcp)


def test_a_file_that_is_not_there_or_too_large(tmp_path):
    with pytest.raises(PolicyError, match="does not exist"):
        read_listing("tools.json", tmp_path, over_mcp)
    (tmp_path / "tools.json").write_text(" " * (LISTING_BYTES + 1))
    with pytest.raises(PolicyError, match="too large"):
        read_listing("tools.json", tmp_path, over_mcp)


def test_a_text(tmp_path):
    (tmp_path / "system.md").write_text("Be brief.", "utf-8")
    assert read_text("system.md", tmp_path) == "Be brief."
    (tmp_path / "prompt_module.py").write_text("SYSTEM = 'Be kind.'\nOTHER = 1")
    assert read_text("prompt_module:SYSTEM", tmp_path) == "Be kind."
    with pytest.raises(PolicyError, match="is no text"):
        read_text("prompt_module:OTHER", tmp_path)
