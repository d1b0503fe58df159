"""Formats of strings: values that have one, and a checker for the reference validator.

``jsonschema`` checks several formats only where other packages are installed. What
is compared or probed must not depend on that, so those are checked here, strictly
enough to tell a right value from a plainly wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from functools import cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from random import Random
from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from jsonschema import FormatChecker

BROKEN = "agentgate: of no format"
"""A string that has none of the formats below."""

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TIME = re.compile(
    r"([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?"
    r"(z|[+-]([01]\d|2[0-3]):[0-5]\d)",
    re.ASCII | re.IGNORECASE,
)
_DURATION = re.compile(
    r"P(?=.)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?)", re.ASCII
)
_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)*")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]*", re.ASCII)
_LABEL = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?", re.ASCII)


def known(name: object) -> bool:
    """Whether a format is one that is checked."""
    return isinstance(name, str) and name in _FORMATS


def sample(name: str, rng: Random) -> str:
    """Return a value of a known format."""
    return _FORMATS[name][1](rng)


def has(name: str, text: str) -> bool:
    """Whether a string has a known format."""
    try:
        return bool(_FORMATS[name][0](text))
    except (ValueError, AddressValueError):
        return False


@cache
def checker() -> FormatChecker:
    """Return a checker of the known formats, and of no other."""
    from jsonschema import FormatChecker

    made = FormatChecker(formats=())
    for name in _FORMATS:

        def check(value: object, name: str = name) -> bool:
            return not isinstance(value, str) or has(name, value)

        made.checks(name)(check)
    return made


def _is_date(text: str) -> bool:
    return bool(_DATE.fullmatch(text)) and bool(date.fromisoformat(text))


def _is_time(text: str) -> bool:
    return bool(_TIME.fullmatch(text))


def _is_datetime(text: str) -> bool:
    return text[10:11] in "Tt" and _is_date(text[:10]) and _is_time(text[11:])


def _is_uuid(text: str) -> bool:
    return len(text) == 36 and str(UUID(text)) == text.lower()


def _is_hostname(text: str) -> bool:
    labels = text.split(".")
    return len(text) <= 253 and all(_LABEL.fullmatch(label) for label in labels)


def _day(rng: Random) -> str:
    return f"{rng.randint(1990, 2030)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"


def _clock(rng: Random) -> str:
    return datetime(2000, 1, 1, rng.randrange(24), rng.randrange(60)).strftime(
        "%H:%M:%SZ"
    )


def _host(rng: Random) -> str:
    return f"host{rng.randrange(100)}.example"


def _address(rng: Random) -> str:
    return f"192.0.2.{rng.randrange(1, 255)}"


_FORMATS: dict[str, tuple[Callable[[str], object], Callable[[Random], str]]] = {
    "date": (_is_date, _day),
    "time": (_is_time, _clock),
    "date-time": (_is_datetime, lambda rng: f"{_day(rng)}T{_clock(rng)}"),
    "duration": (_DURATION.fullmatch, lambda rng: f"P{rng.randint(1, 30)}D"),
    "email": (_EMAIL.fullmatch, lambda rng: f"user{rng.randrange(100)}@{_host(rng)}"),
    "uri": (_URI.fullmatch, lambda rng: f"https://{_host(rng)}/a"),
    "uuid": (_is_uuid, lambda rng: str(UUID(int=rng.getrandbits(128), version=4))),
    "hostname": (_is_hostname, _host),
    "ipv4": (IPv4Address, _address),
    "ipv6": (IPv6Address, lambda rng: f"2001:db8::{rng.randrange(1, 9999):x}"),
}
