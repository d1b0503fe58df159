"""Labels a piece of defence news by its words: category, domain, region.

``POST /classify {"text": ...}`` answers with one value of each list below. The label
with the most words in the text wins, the earlier one in a tie, ``other`` where none is.
"""

import re
from collections.abc import Mapping

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

MAX_CHARS = 5_000
WORDS: Mapping[str, Mapping[str, str]] = {
    "category": {
        "exercise": "exercise exercises drill drills wargame training rehearsal",
        "operations": "strike patrol patrols deployed intercepted launched escorted",
        "policy": "minister parliament treaty sanctions doctrine budget law summit",
        "procurement": "contract order orders buys bought awarded delivery tender",
    },
    "domain": {
        "air": "aircraft jet jets fighter fighters helicopter drone drones airspace",
        "cyber": "cyber hackers malware network ransomware phishing",
        "land": "tank tanks infantry artillery brigade vehicle vehicles howitzer",
        "sea": "navy ship ships destroyer frigate submarine carrier fleet naval",
        "space": "satellite satellites orbit rocket spacecraft",
    },
    "region": {
        "africa": "africa african egypt kenya mali niger nigeria sudan",
        "americas": "america american brazil canada chile mexico pentagon us",
        "asia_pacific": "asia australia china india indonesia japan korea taiwan",
        "europe": "europe european france germany nato norway poland ukraine",
        "middle_east": "gulf iran iraq israel jordan qatar saudi syria yemen",
    },
}


def label(text: str) -> dict[str, str]:
    """Return the label of each axis."""
    words = re.findall(r"[a-z]+", text.lower())
    return {axis: _best(words, labels) for axis, labels in WORDS.items()}


def _best(words: list[str], labels: Mapping[str, str]) -> str:
    hits = {
        name: sum(word in known.split() for word in words)
        for name, known in labels.items()
    }
    best = max(hits, key=lambda name: hits[name])
    return best if hits[best] else "other"


async def classify(request: Request) -> JSONResponse:
    """Answer ``POST /classify``."""
    try:
        text = (await request.json())["text"]
    except (ValueError, KeyError, TypeError):
        return JSONResponse({"detail": "expected a JSON object with 'text'"}, 422)
    if not isinstance(text, str) or not 0 < len(text.strip()) <= MAX_CHARS:
        return JSONResponse({"detail": f"text: 1 to {MAX_CHARS} characters"}, 422)
    return JSONResponse(label(text))


app = Starlette(routes=[Route("/classify", classify, methods=["POST"])])
