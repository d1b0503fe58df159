"""The team's dated notes, on SQLite.

``GET /notes?q=&tag=&limit=`` answers with the newest notes that match, and how many
there are in all. ``NOTES_DB`` names the database; a new one starts with a few notes.
"""

import json
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

LIMITS = {str(limit) for limit in range(1, 51)}
FIRST_NOTES = Path(__file__).with_name("first_notes.json")
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
    """Create the table and, where it is new, fill it."""
    notes = json.loads(FIRST_NOTES.read_text(encoding="utf-8"))
    rows = [note | {"tags": json.dumps(note["tags"])} for note in notes]
    with closing(connect()) as db, db:
        db.execute(
            "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, date TEXT, "
            "title TEXT, body TEXT, tags TEXT)"
        )
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
    newest = f"SELECT * {MATCHING} ORDER BY date DESC, id DESC LIMIT :limit"
    with closing(connect()) as db:
        total = db.execute(f"SELECT count(*) {MATCHING}", values).fetchone()[0]
        notes = [dict(row) for row in db.execute(newest, values)]
    for note in notes:
        note["tags"] = json.loads(note["tags"])
    return JSONResponse({"notes": notes, "total": total})


@asynccontextmanager
async def lifespan(_app: Starlette) -> AsyncIterator[None]:
    """Prepare the database before the first request."""
    prepare()
    yield


app = Starlette(routes=[Route("/notes", find_notes)], lifespan=lifespan)
