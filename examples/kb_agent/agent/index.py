"""The notes, in chunks, in a SQLite FTS5 index.

``python -m agent.index`` builds it. ``KB_INDEX`` names the index file.
"""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOTES = ROOT / "notes"
KINDS = ("projects", "libraries", "notes")
CHUNK_CHARS = 1_200

COMMON = (
    "a an and are as at be by can do does for from how i in is it its me of on or "
    "show tell that the this to was what when where which who why with you"
)
COMMON_WORDS = frozenset(COMMON.split())


@dataclass(frozen=True, slots=True)
class Chunk:
    """One passage of a note."""

    path: str
    kind: str
    heading: str
    text: str


def path() -> Path:
    """Return the index file in force."""
    return Path(os.environ.get("KB_INDEX", ROOT / "kb.sqlite"))


def build(index: Path, notes: Path = NOTES) -> int:
    """Index every note of the known kinds; return the number of chunks.

    The new index takes the place of the old one in a single step, so that a search
    never meets half an index.
    """
    chunks = [chunk for file in sorted(notes.rglob("*.md")) for chunk in _read(file)]
    fresh = index.with_suffix(f".{os.getpid()}.new")
    fresh.unlink(missing_ok=True)
    with closing(sqlite3.connect(fresh)) as db, db:
        db.execute(
            "CREATE VIRTUAL TABLE chunks USING fts5(path UNINDEXED, kind UNINDEXED, "
            "heading, text, tokenize = 'porter unicode61')"
        )
        rows = ((c.path, c.kind, c.heading, c.text) for c in chunks)
        db.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?)", rows)
    fresh.replace(index)
    return len(chunks)


def search(index: Path, query: str, kind: str | None, limit: int) -> list[Chunk]:
    """Return the best chunks for a query by bm25; a heading counts twice.

    Raises:
        sqlite3.Error: the file is no index.
    """
    sql = (
        "SELECT path, kind, heading, text FROM chunks "
        "WHERE chunks MATCH :match AND (:kind IS NULL OR kind = :kind) "
        "ORDER BY bm25(chunks, 0, 0, 2.0, 1.0), path, rowid LIMIT :limit"
    )
    values = {"match": match_expression(query), "kind": kind, "limit": limit}
    if not values["match"]:
        return []
    with closing(_open(index)) as db:
        return [Chunk(*row) for row in db.execute(sql, values)]


def size(index: Path, kind: str | None) -> int:
    """Return how many chunks there are to search.

    Raises:
        sqlite3.Error: the file is no index.
    """
    sql = "SELECT count(*) FROM chunks WHERE :kind IS NULL OR kind = :kind"
    with closing(_open(index)) as db:
        return int(db.execute(sql, {"kind": kind}).fetchone()[0])


def match_expression(query: str) -> str:
    """Turn a user's words into an FTS5 expression that no character can break.

    Every word is quoted, so that operators (``NOT``, ``*``, ``:``, ``"``) are words.
    Any of the words may match; words such as "the" count only where nothing else is.
    """
    words = re.findall(r"\w+", query)
    telling = [word for word in words if word.lower() not in COMMON_WORDS]
    return " OR ".join(f'"{word}"' for word in telling or words)


def _open(index: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{index.absolute().as_uri()}?mode=ro", uri=True)


def _read(file: Path) -> Iterator[Chunk]:
    kind = file.parent.name
    if kind not in KINDS:
        return
    title = file.stem
    for heading, body in _sections(file.read_text(encoding="utf-8"), title):
        for text in _pieces(body):
            yield Chunk(f"{kind}/{file.name}", kind, heading, text)


def _sections(markdown: str, title: str) -> Iterator[tuple[str, str]]:
    """Yield each section's heading (below the note's title) and its body."""
    heading = title
    for part in re.split(r"(?m)^(?=#{1,6} )", markdown):
        line, _, body = part.partition("\n")
        if line.startswith("# "):
            title = heading = line.lstrip("# ").strip()
        elif line.startswith("#"):
            heading = f"{title}: {line.lstrip('# ').strip()}"
        else:
            body = part
        if body.strip():
            yield heading, body.strip()


def _pieces(body: str) -> Iterator[str]:
    """Cut a section between paragraphs, or between words where one is too long."""
    piece = ""
    for paragraph in re.split(r"\n\s*\n", body):
        if piece and len(piece) + len(paragraph) + 2 > CHUNK_CHARS:
            yield piece
            piece = ""
        piece = f"{piece}\n\n{paragraph}".strip()
        while len(piece) > CHUNK_CHARS:
            cut = piece.rfind(" ", 1, CHUNK_CHARS + 1)
            cut = cut if cut > 0 else CHUNK_CHARS
            yield piece[:cut].rstrip()
            piece = piece[cut:].lstrip()
    if piece:
        yield piece


if __name__ == "__main__":
    print(f"{build(path())} chunks indexed in {path()}")
