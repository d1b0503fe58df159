"""Harmless identifiers: none of them is called a secret or a blob."""

from __future__ import annotations

import base64
import hashlib
import random
import uuid

import pytest

from pytest_agentgate import grade

RULES = ("hygiene", "context.inline-blob")
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
ALNUM = "abcdefghijklmnopqrstuvwxyz0123456789"
COUNT = 400


def text(draw, alphabet, length):
    return "".join(draw.choices(alphabet, k=length))


KINDS = {
    "git sha": lambda draw: draw.randbytes(20).hex(),
    "short sha": lambda draw: draw.randbytes(4).hex(),
    "sha256": lambda draw: "sha256:" + hashlib.sha256(draw.randbytes(8)).hexdigest(),
    "md5 etag": lambda draw: f'"{hashlib.md5(draw.randbytes(8)).hexdigest()}"',
    "uuid": lambda draw: str(uuid.UUID(bytes=draw.randbytes(16))),
    "ulid": lambda draw: "01" + text(draw, CROCKFORD, 24),
    "nano id": lambda draw: text(draw, ALNUM, 21),
    "price": lambda draw: f"{draw.randrange(10**6) / 100:,.2f} EUR",
    "order id": lambda draw: (
        f"ORD-{draw.randrange(2020, 2030)}-{draw.randrange(10**8):08}"
    ),
    "iso date": lambda draw: (
        f"2026-{draw.randrange(1, 13):02}-11T20:06:24.{draw.randrange(10**6):06}Z"
    ),
    "phone": lambda draw: f"+49 30 {draw.randrange(10**7):07}",
    "path": lambda draw: (
        f"/var/data/{text(draw, ALNUM, 12)}/part-{draw.randrange(99)}.parquet"
    ),
    "url": lambda draw: f"https://api.example/v2/items/{text(draw, ALNUM, 16)}?page=2",
    "page token": lambda draw: base64.b64encode(draw.randbytes(18)).decode(),
    "email": lambda draw: f"{text(draw, ALNUM, 8)}@example.test",
    "number": lambda draw: draw.randrange(10**12),
    "millis": lambda draw: str(1_700_000_000_000 + draw.randrange(10**11)),
    "ip": lambda draw: ".".join(str(draw.randrange(256)) for _ in range(4)),
    "version": lambda draw: (
        f"{draw.randrange(9)}.{draw.randrange(99)}.{draw.randrange(99)}+{draw.randbytes(4).hex()}"
    ),
    "trace id": lambda draw: (
        f"00-{draw.randbytes(16).hex()}-{draw.randbytes(8).hex()}-01"
    ),
}
FIELDS = ("id", "commit", "digest", "etag", "cursor", "sort_key", "value", "run")


def result(value, field):
    row = {field: value, "note": f"see {value}, then go on"}
    return {"status": "success", "summary": "1 row.", "payload": [row], "source": "t#1"}


@pytest.mark.parametrize("kind", KINDS)
def test_identifiers_are_left_alone(kind):
    draw = random.Random(kind)
    flagged = []
    for number in range(COUNT):
        value = KINDS[kind](draw)
        graded = grade(result(value, FIELDS[number % len(FIELDS)]), rules=RULES)
        flagged += [(value, one.rule, one.message) for one in graded.findings]
    assert flagged == []


def test_card_like_numbers_are_rarely_taken_for_cards():
    """One 16-digit number in ten passes Luhn; an issuer's prefix is asked for too."""
    draw = random.Random(16)
    numbers = [str(draw.randrange(10**15, 10**16)) for _ in range(2_000)]
    flagged = sum(
        bool(grade(result(n, "id"), rules="hygiene").findings) for n in numbers
    )
    assert flagged / len(numbers) < 0.05


def test_a_small_image_is_no_secret():
    picture = base64.b64encode(random.Random(1).randbytes(90_000)).decode()
    raw = result(f"data:image/png;base64,{picture}", "screenshot")
    graded = grade(raw, rules=RULES)
    assert {one.rule for one in graded.findings} == {"context.inline-blob"}
