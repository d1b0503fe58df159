"""Reading whatever a tool returned as one observation; nothing here ever raises.

Accepted forms: a mapping; JSON text; a labelled text block; a model, dataclass or
other object with the contract's attributes; the results of the tool protocols and
their content blocks. A mapping is an *envelope* when, through the mapping in force,
it has a status, or a summary with a payload or next actions. Text counts as an
observation when it is a JSON object or a labelled block; prose does so only under
``observation: text``.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .defects import find_defects, text_defects
from .jsontext import Decoded, decode
from .labelled import read_labelled
from .mapping import DEFAULT_MAPPING, ObservationMapping, read_own_names
from .observation import Defect, Observation, ToolResult
from .protocols import HINTS, Delivery, unwrap, unwrap_blocks
from .records import attributes_of, record_of

STATUSES = ("success", "warning", "error")
_PROSE = (
    "plain text is no observation: return a mapping, JSON text or a labelled block, "
    "or say 'observation: text' in the policy"
)
_NO_ENVELOPE = "the {form} holds no observation"


def parse(
    raw: Any,
    mapping: ObservationMapping = DEFAULT_MAPPING,
    *,
    raised: str | None = None,
) -> ToolResult:
    """Read a tool's result as an observation (SYS-003 §2); never raises.

    Args:
        raw: what the tool returned, in any form.
        mapping: how the house's field names are read.
        raised: the exception's text where the tool raised instead of returning.

    Returns:
        The result. Where no observation could be read, ``problem`` says why; what
        was met on the way is kept as text, flag and defects.
    """
    try:
        if type(raw) is dict and raised is None and HINTS.isdisjoint(raw):
            observation = mapping.compiled()(raw)
            return ToolResult(
                observation, "mapping", raw, None, None, None, find_defects(raw)
            )
        result = _read(raw, mapping)
    except Exception as error:  # a hostile object: its own code raised
        names = type(raw).__name__, type(error).__name__
        result = _unread("the {} could not be read: {}".format(*names))
    result.raw, result.raised = raw, raised
    if raised is not None and result.observation is None:
        result.problem = "the tool raised instead of returning a result"
    return result


def is_envelope(observation: Observation) -> bool:
    """Say whether an observation was meant as one, well made or not."""
    return observation.status is not None or (
        observation.summary is not None
        and (observation.delivered or bool(observation.next_actions))
    )


@dataclass(slots=True)
class _Reading:
    """One part of a result, read as fields."""

    form: str
    observation: Observation | None = None
    defects: tuple[Defect, ...] = ()
    problem: str = ""


def _unread(problem: str, *defects: Defect) -> ToolResult:
    return ToolResult(None, defects=defects, problem=problem)


def _read(raw: Any, mapping: ObservationMapping) -> ToolResult:
    if raw is None:
        return _unread("the tool returned nothing (None)")
    if isinstance(raw, str):
        return _read_text(raw, mapping)
    if isinstance(raw, bytes | bytearray | memoryview):
        return _read_bytes(raw, mapping)
    fields = record_of(raw)
    if fields is not None:
        form = "mapping" if isinstance(raw, Mapping) else "model object"
        return _read_fields(fields, form, mapping)
    if isinstance(raw, list | tuple):
        delivery = unwrap_blocks(raw)
        if delivery is not None:
            return _receive(delivery, {}, mapping)
    return _read_object(raw, mapping)


def _read_bytes(raw: Any, mapping: ObservationMapping) -> ToolResult:
    defect = Defect("bytes", "", f"{type(raw).__name__} of length {len(raw)}")
    try:
        text = bytes(raw).decode("utf-8-sig")
    except UnicodeDecodeError:
        return _unread("the bytes are not UTF-8 text", defect)
    result = _read_text(text, mapping)
    result.defects = (defect, *result.defects)
    return result


def _read_text(text: str, mapping: ObservationMapping) -> ToolResult:
    reading, fields = _text_fields(text, mapping)
    if fields is not None:
        delivery = None if HINTS.isdisjoint(fields) else unwrap(fields)
        if delivery is not None:
            return _receive(delivery, fields, mapping)
    if mapping.text and not _is_strict(reading.observation):
        reading = _Reading("plain text", _plain(text, None), text_defects(text))
    return ToolResult(
        reading.observation,
        reading.form,
        text=text,
        defects=reading.defects,
        problem=reading.problem,
    )


def _read_fields(
    fields: Mapping[str, Any], form: str, mapping: ObservationMapping
) -> ToolResult:
    delivery = None if HINTS.isdisjoint(fields) else unwrap(fields)
    if delivery is not None:
        return _receive(delivery, fields, mapping)
    return ToolResult(mapping.compiled()(fields), form, defects=find_defects(fields))


def _read_object(raw: Any, mapping: ObservationMapping) -> ToolResult:
    """Read an object of a foreign class, if its attributes are an envelope."""
    name = type(raw).__name__
    if inspect.isawaitable(raw):
        if inspect.iscoroutine(raw):
            raw.close()
        return _unread(f"the tool returned a {name} that was not awaited")
    fields = attributes_of(raw)
    result = _read_fields(fields, "model object", mapping)
    if result.form != "model object":
        return result
    if result.observation is not None and is_envelope(result.observation):
        return result
    problem = f"a result of type {name} is none of the accepted forms"
    return _unread(problem, *find_defects(raw))


def _text_fields(
    text: str, mapping: ObservationMapping
) -> tuple[_Reading, dict[str, Any] | None]:
    """Read a text; beside it, the fields where it is a JSON object."""
    if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
        return _json_fields(text, mapping)
    labelled = read_labelled(text)
    if labelled is None:
        return _Reading("plain text", None, text_defects(text), _PROSE), None
    if labelled.problem:
        return _Reading("labelled text", None, labelled.defects, labelled.problem), None
    observation = read_own_names(labelled.value)
    if not is_envelope(observation):
        return _Reading("plain text", None, text_defects(text), _PROSE), None
    return _Reading("labelled text", observation, labelled.defects), None


def _json_fields(
    text: str, mapping: ObservationMapping
) -> tuple[_Reading, dict[str, Any] | None]:
    decoded = decode(text)
    if decoded.problem:
        return _not_json(text, decoded), None
    if isinstance(decoded.value, dict):
        observation = mapping.compiled()(decoded.value)
        return _Reading("json text", observation, decoded.defects), decoded.value
    problem = f"the JSON text is a {type(decoded.value).__name__}, not an object"
    return _Reading("json text", None, decoded.defects, problem), None


def _not_json(text: str, decoded: Decoded) -> _Reading:
    if decoded.defects:
        return _Reading("json text", None, decoded.defects, decoded.problem)
    # Log lines start with a bracket, too; a brace was meant as JSON.
    problem = _PROSE if text.lstrip()[:1] == "[" else decoded.problem
    return _Reading("plain text", None, text_defects(text), problem)


def _receive(
    delivery: Delivery, outer: Mapping[str, Any], mapping: ObservationMapping
) -> ToolResult:
    """Read what a protocol delivered; the first part that is an envelope wins."""
    reading = _choose(delivery, outer, mapping)
    if mapping.text and not _is_strict(reading.observation):
        reading = _read_plainly(delivery)
    _add_retrieved(delivery, reading)
    if reading.form != "structured" and delivery.structured is not None:
        found = find_defects(delivery.structured)
        reading.defects += _under("/structuredContent", found)
    problem = "" if reading.observation else reading.problem
    return ToolResult(
        reading.observation,
        delivery.form,
        None,
        delivery.text,
        delivery.flag,
        delivery.structured,
        reading.defects,
        problem,
    )


def _choose(
    delivery: Delivery, outer: Mapping[str, Any], mapping: ObservationMapping
) -> _Reading:
    """Return the first envelope among the parts, else a foreign mapping, else none."""
    readings: list[_Reading] = []
    for reading in _candidates(delivery, outer, mapping):
        if reading.observation is not None and is_envelope(reading.observation):
            return reading
        readings.append(reading)
    foreign = (r for r in readings if r.observation is not None and r.form != "outer")
    unread = (r for r in readings if r.observation is None)
    nothing = _Reading("", None, (), _NO_ENVELOPE.format(form=delivery.form))
    return next(foreign, None) or next(unread, nothing)


def _candidates(
    delivery: Delivery, outer: Mapping[str, Any], mapping: ObservationMapping
) -> Iterator[_Reading]:
    read = mapping.compiled()
    yield from _structured_readings(delivery.structured, mapping)
    if delivery.inline is not None:
        inline = delivery.inline
        yield _Reading("inline", read(inline), find_defects(inline))
    whole = "\n".join(delivery.texts)
    for text in (whole, *delivery.texts) if len(delivery.texts) != 1 else (whole,):
        if text:
            yield _text_fields(text, mapping)[0]
    if delivery.form in ("mcp result", "anthropic tool_result"):
        yield _Reading("outer", read(outer), find_defects(outer))


def _structured_readings(
    structured: Any, mapping: ObservationMapping
) -> Iterator[_Reading]:
    """Yield structured content, and before it the ``result`` that it may wrap.

    Servers that wrap every return value send ``{"result": ...}``, the observation in
    it as a mapping or, encoded twice, as JSON text.
    """
    fields = record_of(structured)
    if fields is None:
        return
    read = mapping.compiled()
    wraps = len(fields) == 1 and "result" in fields
    if wraps and isinstance(fields["result"], str):
        inner = _text_fields(fields["result"], mapping)[0]
        yield replace(inner, form="structured")
    elif wraps and isinstance(fields["result"], Mapping):
        inner_fields = fields["result"]
        yield _Reading("structured", read(inner_fields), find_defects(inner_fields))
    form = "outer" if wraps else "structured"
    yield _Reading(form, read(fields), find_defects(fields))


def _add_retrieved(delivery: Delivery, reading: _Reading) -> None:
    """Let search results be payload and source where the envelope has none."""
    if not delivery.retrieved:
        return
    texts = [text for text, _ in delivery.retrieved]
    sources = [source for _, source in delivery.retrieved]
    observation = reading.observation or Observation()
    if observation.payload is None and observation.status != "error":
        observation.payload = texts
    if observation.source is None:
        observation.source = sources[0] if len(sources) == 1 else sources
    reading.observation = observation


def _read_plainly(delivery: Delivery) -> _Reading:
    text = delivery.text
    if text is None:
        value = delivery.structured if delivery.inline is None else delivery.inline
        observation = _plain("", delivery.flag)
        if value is not None and observation.delivered:
            observation.payload = value
        return _Reading("plain text", observation)
    return _Reading("plain text", _plain(text, delivery.flag), text_defects(text))


def _plain(text: str, flag: bool | None) -> Observation:
    """Read plain text: the payload is the text, the flag says whether it is one."""
    line = next(filter(None, map(str.strip, text[:4000].splitlines())), "")
    if flag is True:
        return Observation("error", line)
    return Observation("success", line, text)


def _is_strict(observation: Observation | None) -> bool:
    """Say whether a text among plain texts is an observation beyond doubt."""
    return (
        observation is not None
        and observation.status in STATUSES
        and isinstance(observation.summary, str)
    )


def _under(prefix: str, defects: tuple[Defect, ...]) -> tuple[Defect, ...]:
    return tuple(Defect(d.kind, prefix + d.path, d.detail) for d in defects)
