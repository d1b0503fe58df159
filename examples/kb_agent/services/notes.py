"""The team's dated notes, on SQLite.

``GET /notes?q=&tag=&limit=`` answers with the newest notes that match, and how many
there are in all. ``POST /notes`` adds one, once for each ``request_id``;
``DELETE /notes/{id}`` deletes one. Both leave an event behind, read by
``GET /audit``. ``NOTES_DB`` names the database; a new one starts with a few notes.
"""

import json
import os
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

LIMITS = {str(limit) for limit in range(1, 51)}
MAX_CHARS = {"request_id": 64, "title": 100, "body": 2_000}
MAX_TAGS = 10
FIRST_NOTES = Path(__file__).with_name("first_notes.json")
TABLES = """
CREATE TABLE IF NOT EXISTS notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, date TEXT, title TEXT, body TEXT, tags TEXT,
    request_id TEXT UNIQUE
);
CREATE TABLE IF NOT EXISTS audit (
    id INTEGER PRIMARY KEY, at TEXT DEFAULT CURRENT_TIMESTAMP, event TEXT, note INTEGER
);
"""
COLUMNS = "id, date, title, body, tags"
MATCHING = """
FROM notes
WHERE (:q IS NULL OR instr(lower(title || ' ' || body), lower(:q)))
  AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = :tag))
"""


def connect() -> sqlite3.Connection:
    """Open the database."""
    db = sqlite3.connect(os.environ.get("NOTES_DB", "notes.sqlite"))
    db.row_factory = sqlite3.Row
    return db


def prepare() -> None:
    """Create the tables and, where they are new, fill them."""
    notes = json.loads(FIRST_NOTES.read_text(encoding="utf-8"))
    rows = [note | {"tags": json.dumps(note["tags"])} for note in notes]
    with closing(connect()) as db, db:
        db.executescript(TABLES)
        if not db.execute("SELECT count(*) FROM notes").fetchone()[0]:
            db.executemany(
                "INSERT INTO notes (date, title, body, tags) "
                "VALUES (:date, :title, :body, :tags)",
                rows,
            )


def find_notes(request: Request) -> JSONResponse:
    """Answer ``GET /notes``."""
    asked = request.query_params
    limit = asked.get("limit", "20")
    if limit not in LIMITS:
        return JSONResponse({"detail": "limit: 1 to 50"}, 422)
    values = {"q": asked.get("q"), "tag": asked.get("tag"), "limit": int(limit)}
    newest = f"SELECT {COLUMNS} {MATCHING} ORDER BY date DESC, id DESC LIMIT :limit"
    with closing(connect()) as db:
        total = db.execute(f"SELECT count(*) {MATCHING}", values).fetchone()[0]
        notes = [_note(row) for row in db.execute(newest, values)]
    return JSONResponse({"notes": notes, "total": total})


async def add_note(request: Request) -> JSONResponse:
    """Answer ``POST /notes``: an equal ``request_id`` adds nothing more."""
    try:
        asked = await request.json()
    except (ValueError, RecursionError):
        asked = None
    if problem := _objection(asked):
        return JSONResponse({"detail": problem}, 422)
    with closing(connect()) as db, db:
        values = asked | {"tags": json.dumps(asked["tags"])}
        added = db.execute(
            "INSERT INTO notes (date, title, body, tags, request_id) "
            "VALUES (date('now'), :title, :body, :tags, :request_id) "
            "ON CONFLICT (request_id) DO NOTHING",
            values,
        )
        if added.rowcount:
            _leave_event(db, "note.added", added.lastrowid)
        known = f"SELECT {COLUMNS} FROM notes WHERE request_id = :request_id"
        note = _note(db.execute(known, values).fetchone())
    if any(note[name] != asked[name] for name in ("title", "body", "tags")):
        return JSONResponse({"detail": "request_id: taken by another note"}, 409)
    return JSONResponse({"note": note})


def delete_note(request: Request) -> JSONResponse:
    """Answer ``DELETE /notes/{id}``: what is not there is not deleted."""
    number = request.path_params["id"]
    with closing(connect()) as db, db:
        deleted = db.execute("DELETE FROM notes WHERE id = ?", [number]).rowcount
        if deleted:
            _leave_event(db, "note.deleted", number)
    return JSONResponse({"id": number, "deleted": bool(deleted)})


def audit(_request: Request) -> JSONResponse:
    """Answer ``GET /audit``."""
    with closing(connect()) as db:
        rows = db.execute("SELECT event, note FROM audit ORDER BY id")
        return JSONResponse({"events": [dict(row) for row in rows]})


def _note(row: sqlite3.Row) -> dict[str, Any]:
    return dict(row) | {"tags": json.loads(row["tags"])}


def _objection(asked: Any) -> str:
    if not isinstance(asked, Mapping) or asked.keys() != {*MAX_CHARS, "tags"}:
        return f"expected {', '.join([*MAX_CHARS, 'tags'])}"
    for name, most in MAX_CHARS.items():
        value = asked[name]
        if not isinstance(value, str) or not 0 < len(value.strip()) <= most:
            return f"{name}: 1 to {most} characters"
    tags = asked["tags"]
    if not isinstance(tags, list) or len(tags) > MAX_TAGS:
        return f"tags: at most {MAX_TAGS} texts"
    return "" if all(isinstance(tag, str) for tag in tags) else "tags: texts"


def _leave_event(db: sqlite3.Connection, event: str, note: int | None) -> None:
    db.execute("INSERT INTO audit (event, note) VALUES (?, ?)", [event, note])


@asynccontextmanager
async def lifespan(_app: Starlette) -> AsyncIterator[None]:
    """Prepare the database before the first request."""
    prepare()
    yield


app = Starlette(
    routes=[
        Route("/notes", find_notes),
        Route("/notes", add_note, methods=["POST"]),
        Route("/notes/{id:int}", delete_note, methods=["DELETE"]),
        Route("/audit", audit),
    ],
    lifespan=lifespan,
)
