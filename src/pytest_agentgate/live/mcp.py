"""Talk to an MCP server, started by command or reached by URL, from plain code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..contract.settings import ServerSettings


def list_tools(server: str, settings: ServerSettings, cwd: Path) -> list[Any]:
    """List a server's tools, each as MCP's JSON."""
    raise NotImplementedError


def dispatcher(
    server: str, settings: ServerSettings, cwd: Path
) -> Callable[[str, Mapping[str, Any]], Any]:
    """Return a function that calls a server's tools; it starts at the first call."""
    raise NotImplementedError
