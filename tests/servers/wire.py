"""An MCP server written on the bare wire, which misbehaves as it is told.

``python wire.py MODE``; without a mode it is well behaved. It speaks the handshake of
2025-11-25, as 1.x servers do, and needs no package.
"""

from __future__ import annotations

import json
import os
import sys
import time

MODE = sys.argv[1] if len(sys.argv) > 1 else ""
TOOLS = [
    {
        "name": "look",
        "description": "Call this to see how the server was started.",
        "inputSchema": {"type": "object", "properties": {}},
        "annotations": {"readOnlyHint": True},
        "_meta": {"agentgate/version": "3"},
        "houseField": [1],
    },
    {"name": "fail", "inputSchema": {"type": "object"}},
]


def main() -> None:
    if MODE == "dies":
        sys.exit(f"no DATABASE_URL, {os.environ.get('HOUSE_TOKEN')}")
    if MODE == "hangs":
        time.sleep(60)
    if MODE == "slow":
        time.sleep(0.5)
    if MODE == "noisy":
        print("INFO starting up", "listening", sep="\n", flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            send(message["id"], **answer(message["method"], message.get("params", {})))


def send(number, **rest):
    print(json.dumps({"jsonrpc": "2.0", "id": number, **rest}), flush=True)


def answer(method, params):
    if method == "initialize":
        if MODE == "refuses":
            return error(-32603, "licence expired")
        if MODE == "sloppy":
            return {"result": {"protocolVersion": "2025-11-25"}}
        return {
            "result": {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "wire", "version": "1"},
            }
        }
    if method == "tools/list":
        return listing(params.get("cursor"))
    if method == "tools/call" and params["name"] == "refused":
        return error(-32602, "Unknown tool: refused")
    if method == "tools/call":
        return {"result": call(params["name"], params.get("arguments", {}))}
    return error(-32601, "Method not found")


def listing(cursor):
    if MODE == "unlisted":
        return error(-32603, "the index is locked")
    if MODE == "listless":
        return {"result": {"tools": None}}
    if MODE == "endless":
        return {"result": {"tools": [], "nextCursor": "more"}}
    if MODE == "odd":
        return {"result": {"tools": [{"name": "odd", "inputSchema": True}]}}
    if cursor is None:
        return {"result": {"tools": TOOLS[:1], "nextCursor": "2"}}
    return {"result": {"tools": TOOLS[1:]}}


def call(name, arguments):
    if name == "look":
        seen = {"pid": os.getpid(), "variables": sorted(os.environ)}
        return {"content": [text(json.dumps(seen))], "isError": False, "extra": 1}
    if name == "crash":
        sys.stderr.write("segfault imminent\n")
        sys.exit(3)
    if name == "sleep":
        time.sleep(arguments.get("seconds", 60))
    if name == "noise":
        print("a debug line", flush=True)
    if name == "malformed":
        return {"content": [{"type": "text"}]}
    return {"content": [text(name)], "isError": name == "fail"}


def text(value):
    return {"type": "text", "text": value}


def error(code, message):
    return {"error": {"code": code, "message": message}}


main()
