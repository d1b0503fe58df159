"""An MCP server that keeps its contracts: the clean twin of ``planted.py``.

A stock with seven tools that read, over stdio. What each tool promises stands in its
own ``_meta``. The database is ``stock.db`` in the working folder.
"""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any

import anyio
import jsonschema
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

DATABASE = "stock.db"
STOCK = {"bolt": (12, 0.2), "nut": (40, 0.1), "washer": (0, 0.05)}
SUPPLIERS = {"bolt": "Ash & Sons", "nut": "Birch Ltd", "washer": "Cedar plc"}
ITEM = {
    "type": "string",
    "enum": list(STOCK),
    "description": "The item, by its name in the stock table.",
}
DAY = {
    "type": "string",
    "format": "date",
    "pattern": r"^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$",
    "description": "The day, such as 2026-12-01.",
}
LIMIT = {
    "type": "integer",
    "minimum": 1,
    "maximum": 50,
    "description": "How many items to list at most.",
}
WEEKDAY = {
    "type": "string",
    "enum": ["monday", "saturday", "sunday"],
    "description": "The day of the week.",
}


def arguments(**properties: Any) -> dict[str, Any]:
    """Close an input schema over its properties, all of them required."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


payload = arguments


class Tool:
    """One tool: what is listed of it, and the function that answers.

    Args:
        name: the tool's name.
        description: when to call it.
        schema: of its arguments.
        output: schema of its payload.
        answer: takes the arguments, returns payload and source.
    """

    def __init__(
        self,
        name: str,
        description: str,
        schema: dict[str, Any],
        output: dict[str, Any] | None,
        answer: Callable[..., tuple[Any, str]],
    ) -> None:
        self.name = name
        self.description = description
        self.schema = schema
        self.output = output
        self.answer = answer

    def listed(self) -> types.Tool:
        """Return the tool as the server lists it, its contract included."""
        return types.Tool(
            name=self.name,
            description=self.description,
            input_schema=self.schema,
            output_schema=self.output,
            annotations=types.ToolAnnotations(
                read_only_hint=True, idempotent_hint=True, open_world_hint=False
            ),
            _meta={"agentgate": CONTRACT},
        )

    def call(self, given: Mapping[str, Any]) -> types.CallToolResult:
        """Answer one call; arguments that break the schema are refused by name."""
        problem = self.problem(given)
        if problem:
            return observation(
                status="error",
                summary=f"{self.name} was called with bad arguments: {problem}",
                next_actions=[
                    f"Call {self.name} once more with the argument put right; if that "
                    "call is refused too, stop and tell the user."
                ],
            )
        found, source = self.answer(**given)
        return observation(
            structured=found,
            status="success",
            summary=f"{self.name} answered from the {source}.",
            payload=found,
            source=source,
        )

    def problem(self, given: Mapping[str, Any]) -> str:
        """Say which argument breaks the schema, and how."""
        for error in jsonschema.Draft202012Validator(self.schema).iter_errors(given):
            place = error.absolute_path or ["the arguments"]
            return f"{place[0]}: {error.message}"
        return ""


CONTRACT = {
    "version": "1.0",
    "side_effect": "read_only",
    "network": False,
    "timeout_seconds": 5,
    "retry": {"attempts": 2, "wait_seconds": 0},
    "idempotency": "natural",
    "approval": "none",
    "permissions": ["stock:read"],
    "output_trust": "trusted",
    "failure_modes": [
        {
            "name": "bad_arguments",
            "status": "error",
            "cause": "bad arguments",
            "remedy": "once more with",
            "stop": "stop and tell the user",
        }
    ],
}


def observation(structured: Any = None, **fields: Any) -> types.CallToolResult:
    """Return an envelope as text, and the payload beside it for programs."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=json.dumps(fields))],
        structured_content=structured,
        is_error=fields["status"] == "error",
    )


def row(item: str) -> tuple[int, float]:
    """Read an item's row: how many are left, and the price of one."""
    with closing(sqlite3.connect(DATABASE)) as database:
        query = "SELECT left, price FROM stock WHERE item = ?"
        left, price = database.execute(query, (item,)).fetchone()
    return left, price


def count_stock(item: str) -> tuple[Any, str]:
    return {"left": row(item)[0]}, f"stock table, row {item}"


def price_of_item(item: str) -> tuple[Any, str]:
    return {"price": row(item)[1]}, f"price column, row {item}"


def deliveries_on(day: str) -> tuple[Any, str]:
    given = datetime.date.fromisoformat(day)
    lorries = 2 if given.weekday() < 5 else 1
    return {"lorries": lorries}, f"delivery plan of week {given.isocalendar().week}"


def list_stock(limit: int) -> tuple[Any, str]:
    items = list(STOCK)[:limit]
    return {"items": items, "total": len(STOCK)}, "stock table, all rows by name"


def describe_item(item: str) -> tuple[Any, str]:
    return {"text": f"A {item}, made of steel."}, f"description of row {item}"


def find_supplier(item: str) -> tuple[Any, str]:
    return {"supplier": SUPPLIERS[item]}, f"supplier table, row of {item}"


def opening_hours(weekday: str) -> tuple[Any, str]:
    opens = {"monday": "08:00", "saturday": "09:00", "sunday": "closed"}[weekday]
    return {"opens": opens}, f"opening hours, line {weekday}"


SHORT = {"type": "string", "maxLength": 60, "description": "One short line."}
NUMBER = {
    "type": "integer",
    "minimum": 0,
    "maximum": 9999,
    "description": "How many.",
}
PRICE = {
    "type": "number",
    "minimum": 0,
    "maximum": 100,
    "description": "Euro for one piece.",
}
TOOLS = [
    Tool(
        "count_stock",
        "Call this when the user asks how many pieces of one item are left in stock.",
        arguments(item=ITEM),
        payload(left=NUMBER),
        count_stock,
    ),
    Tool(
        "price_of_item",
        "Call this when the user wants to know what one piece costs, in euro.",
        arguments(item=ITEM),
        payload(price=PRICE),
        price_of_item,
    ),
    Tool(
        "deliveries_on",
        "Call this when the user asks about lorries that arrive on a certain date.",
        arguments(day=DAY),
        payload(lorries=NUMBER),
        deliveries_on,
    ),
    Tool(
        "list_stock",
        "Call this when the user wants an overview of everything that is kept here.",
        arguments(limit=LIMIT),
        payload(
            items={
                "type": "array",
                "items": ITEM,
                "maxItems": 50,
                "description": "Names, in the order of the table.",
            },
            total=NUMBER,
        ),
        list_stock,
    ),
    Tool(
        "describe_item",
        "Call this when somebody needs to know the material and shape of a part.",
        arguments(item=ITEM),
        payload(text=SHORT),
        describe_item,
    ),
    Tool(
        "find_supplier",
        "Call this when the user asks which company a part is bought from.",
        arguments(item=ITEM),
        payload(supplier=SHORT),
        find_supplier,
    ),
    Tool(
        "opening_hours",
        "Call this when the user asks at what time the warehouse opens its doors.",
        arguments(weekday=WEEKDAY),
        payload(opens=SHORT),
        opening_hours,
    ),
]


def make_database() -> None:
    """Write the stock table anew."""
    with closing(sqlite3.connect(DATABASE)) as database:
        database.execute("DROP TABLE IF EXISTS stock")
        database.execute("DROP TABLE IF EXISTS views")
        database.execute("CREATE TABLE stock (item TEXT, left INTEGER, price REAL)")
        database.execute("CREATE TABLE views (item TEXT)")
        rows = [(item, left, price) for item, (left, price) in STOCK.items()]
        database.executemany("INSERT INTO stock VALUES (?, ?, ?)", rows)
        database.commit()


def serve(tools: list[Tool]) -> None:
    """Serve tools over stdio until the client hangs up."""
    by_name = {tool.name: tool for tool in tools}

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool.listed() for tool in tools])

    async def call_tool(_context: Any, params: Any) -> types.CallToolResult:
        return by_name[params.name].call(params.arguments or {})

    server = Server(
        "stock", version="1.0", on_list_tools=list_tools, on_call_tool=call_tool
    )

    async def run() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(run)


if __name__ == "__main__":
    make_database()
    serve(TOOLS)
