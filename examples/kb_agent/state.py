"""What a probe of the tools looks at: the notes that there are, and how they were.

Named in the policy: a tool that only reads must leave the notes as they are, and a call
that is sent twice must add one note.
"""

from typing import Any

from agent.projects import endpoint
from agent.seam import CLIENT


def notes() -> Any:
    """Return the notes."""
    url = endpoint("notes").url
    return CLIENT.get(f"{url}/notes", params={"limit": 50}).json()


def forget() -> None:
    """Delete what was added since the service started."""
    url = endpoint("notes").url
    events = CLIENT.get(f"{url}/audit").json()["events"]
    added, deleted = (
        {event["note"] for event in events if event["event"] == f"note.{what}"}
        for what in ("added", "deleted")
    )
    for note in added - deleted:
        CLIENT.delete(f"{url}/notes/{note}")
