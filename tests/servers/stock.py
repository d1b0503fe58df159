"""A small MCP server of the package ``mcp``: ``python stock.py [PORT]``.

Over stdio, or over streamable HTTP where a port is given.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent, ToolAnnotations

server = MCPServer("stock")
READS = ToolAnnotations(read_only_hint=True)


@server.tool(annotations=READS, meta={"agentgate": {"version": "2", "network": False}})
def count_stock(item: str) -> CallToolResult:
    """Call this when the user asks how many of an item are left."""
    if item != "bolt":
        return observation(
            status="error",
            summary=f"There is no item {item!r} in the stock table.",
            next_actions=[
                "Ask for the name once; if it is unknown too, stop and tell the user."
            ],
        )
    return observation(
        status="success", summary="12 left.", payload=12, source="stock table, row bolt"
    )


@server.tool(annotations=READS)
def process_number() -> CallToolResult:
    """Call this to learn which process answers."""
    return observation(
        status="success",
        summary="the process",
        payload=os.getpid(),
        source="the operating system",
    )


def observation(**fields: Any) -> CallToolResult:
    content = [TextContent(type="text", text=json.dumps(fields))]
    return CallToolResult(content=content, is_error=fields["status"] == "error")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
    else:
        server.run("stdio")
