"""The read-only tools over MCP, on stdin and stdout: ``python mcp_server.py``.

Names, descriptions and schemas are those of ``agent.tools``, and every call goes
through its dispatcher, so that a model meets the same tools on either road. What
writes is not served: there is nobody here who could be asked to agree.
"""

import json
from typing import Any

import anyio
from agent.tools import TOOLS, WRITES, execute_tool
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

SERVED = [tool for tool in TOOLS if tool["name"] not in WRITES]


async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
    """List the tools as the agent's own model sees them."""
    reads = types.ToolAnnotations(read_only_hint=True)
    tools = [
        types.Tool.model_validate({**tool, "annotations": reads}) for tool in SERVED
    ]
    return types.ListToolsResult(tools=tools)


async def call_tool(
    _context: Any, params: types.CallToolRequestParams
) -> types.CallToolResult:
    """Run one call; the observation is the text, and an error is flagged as one."""
    served = params.name in {tool["name"] for tool in SERVED}
    name = params.name if served else ""
    result = await anyio.to_thread.run_sync(execute_tool, name, params.arguments or {})
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=json.dumps(result))],
        is_error=result["status"] == "error",
    )


async def main() -> None:
    """Serve until stdin ends."""
    server = Server("kb-agent", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
