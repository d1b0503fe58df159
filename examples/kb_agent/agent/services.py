"""The tools that call a service: ``classify_snippet``, and those for the team's notes.

The schemas are this side's copy of what the services promise. An answer that breaks
its promise is refused; a field that was never promised is dropped.
"""

from typing import Any

from agent.observation import Observation, Problem, partial, shown, success
from agent.seam import fetch

SHOWN_NOTES = 20
EXCERPT_CHARS = 1_200

TEXT = {"type": "string"}
LABELS = {
    "category": ["exercise", "operations", "policy", "procurement", "other"],
    "domain": ["air", "cyber", "land", "sea", "space", "other"],
    "region": ["africa", "americas", "asia_pacific", "europe", "middle_east", "other"],
}
CLASSIFIED = {
    "type": "object",
    "properties": {name: {"enum": values} for name, values in LABELS.items()},
    "required": list(LABELS),
}
NOTE = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "date": TEXT,
        "title": TEXT,
        "body": TEXT,
        "tags": {"type": "array", "items": TEXT},
    },
    "required": ["id", "date", "title", "body", "tags"],
}
ADDED = {
    "type": "object",
    "properties": {"note": NOTE},
    "required": ["note"],
}
DELETED = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "deleted": {"type": "boolean"}},
    "required": ["id", "deleted"],
}
FOUND_NOTES = {
    "type": "object",
    "properties": {
        "notes": {"type": "array", "items": NOTE, "maxItems": SHOWN_NOTES},
        "total": {"type": "integer", "minimum": 0},
    },
    "required": ["notes", "total"],
}


def classify_snippet(text: str) -> Observation:
    """Label a piece of news."""
    labels, url = fetch(
        "classifier", "POST", "/classify", json={"text": text}, answer=CLASSIFIED
    )
    payload = {name: labels[name] for name in LABELS}
    return success(f"Classified as {' / '.join(payload.values())}.", payload, url)


def search_notes(query: str | None = None, tag: str | None = None) -> Observation:
    """Search the notes service."""
    asked = {"q": query, "tag": tag, "limit": SHOWN_NOTES}
    params = {name: value for name, value in asked.items() if value is not None}
    found, url = fetch("notes", "GET", "/notes", params=params, answer=FOUND_NOTES)
    notes, total = [_excerpt(note) for note in found["notes"]], int(found["total"])
    if not notes:
        raise _no_notes(query, tag)
    if total > len(notes):
        return partial(
            f"The newest {len(notes)} of {total} matching notes.",
            notes,
            url,
            "If the note is not among these, call search_notes once more with a "
            "narrower query or a tag.",
        )
    return success(f"{len(notes)} matching notes.", notes, url)


def add_note(
    title: str, body: str, request_id: str, tags: list[str] | None = None
) -> Observation:
    """Add a note, once for each request_id."""
    note = {"title": title, "body": body, "request_id": request_id, "tags": tags or []}
    added, url = fetch(
        *("notes", "POST", "/notes"),
        json=note,
        answer=ADDED,
        safe="the service adds one note for a request_id, so repeating it with the "
        "same request_id is safe",
        conflict=_request_id_taken(),
    )
    note = _excerpt(added["note"])
    return success(f"Note {note['id']} added: {shown(note['title'])}.", note, url)


def delete_note(note_id: int) -> Observation:
    """Delete a note; whoever calls this has asked a person before."""
    path = f"/notes/{int(note_id)}"
    deleted, url = fetch(
        *("notes", "DELETE", path),
        answer=DELETED,
        safe="deleting a note twice is like deleting it once, so repeating it is safe",
    )
    if not deleted["deleted"]:
        raise _no_such_note(note_id)
    return success(f"Note {note_id} deleted.", {"id": deleted["id"]}, url)


def _excerpt(note: dict[str, Any]) -> dict[str, Any]:
    """Keep the promised fields, and of a long body its beginning, visibly cut."""
    kept = {name: note[name] for name in NOTE["required"]}
    if len(kept["body"]) > EXCERPT_CHARS:
        kept["body"] = kept["body"][: EXCERPT_CHARS - 6] + " [cut]"
    return kept


def _no_notes(query: str | None, tag: str | None) -> Problem:
    asked = [f"text {shown(query)}"] if query else []
    asked += [f"tag {tag!r}"] if tag else []
    scope = " and ".join(asked)
    remedy = {
        (True, True): "Drop the tag filter and search once more.",
        (True, False): "Search once more with one shorter word.",
        (False, True): "Search once more by query instead of tag.",
        (False, False): "Ask the user to add notes to the notes service first.",
    }[bool(query), bool(tag)]
    return Problem(
        f"No notes with {scope}." if scope else "There are no notes at all.",
        cause="no note in the notes service fits what was asked.",
        remedy=remedy,
        stop="If there is no note after that either, stop and tell the user that "
        "there is none.",
        status="warning",
    )


def _request_id_taken() -> Problem:
    return Problem(
        "The request_id belongs to another note.",
        cause="a note with other content was added with this request_id before.",
        remedy="Call add_note once more with a fresh request_id.",
        stop="If that one is taken too, stop and tell the user.",
    )


def _no_such_note(note_id: int) -> Problem:
    return Problem(
        f"Note {note_id} does not exist.",
        cause=f"no note has the id {note_id}, or it has been deleted already.",
        remedy="Call search_notes to find the note's id, and delete_note once more "
        "with that.",
        stop="If there is no such note either, stop and tell the user that it is gone.",
    )
