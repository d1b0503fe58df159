"""Point a tool to another address for one call, and bring a failure about.

Everything here is undone when its block ends: variables have the value they had, or
none; what was written is in a temporary folder that is gone.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from ..contract.settings import Endpoint
from ..contract.tool import Provocation
from ..errors import TargetError

DOCS = "docs/reference/faults.md#endpoints"
TMP = "{tmp}"
Setter = Callable[[str], Any]


@contextmanager
def pointed(
    endpoint: Endpoint, url: str, folder: Path, setter: Setter | None = None
) -> Iterator[None]:
    """Let a tool find its service at another address.

    Args:
        endpoint: where the tool looks for it.
        url: the address, ``http://HOST:PORT``.
        folder: where the endpoint's file starts from.
        setter: the function that the endpoint names, for its last two forms; what it
            returns undoes it, if it can be called.

    Raises:
        TargetError: the file has no such place, or the function raised.
    """
    if setter is not None:
        undo = _called(setter, url)
        try:
            yield
        finally:
            if callable(undo):
                undo()
        return
    variable = str(endpoint.variable)
    if endpoint.file is None:
        with variables({variable: moved(os.environ.get(variable), url)}):
            yield
        return
    with tempfile.TemporaryDirectory(prefix="agentgate-") as made:
        copy = _moved_copy(endpoint, folder / endpoint.file, Path(made), url)
        with variables({variable: str(copy)}):
            yield


def moved(present: Any, url: str) -> str:
    """Return the new address in the form of the present one.

    A path and a query are kept, and an address without scheme stays without.

    Args:
        present: the present address; anything else is replaced whole.
        url: the new address, ``http://HOST:PORT``.
    """
    if not isinstance(present, str) or not present.strip():
        return url
    if "://" not in present:
        return url.partition("://")[2] + present[len(present.partition("/")[0]) :]
    parts = urlsplit(present)
    query = f"?{parts.query}" if parts.query else ""
    return f"{url}{parts.path}{query}"


@contextmanager
def variables(changes: Mapping[str, str | None]) -> Iterator[None]:
    """Set environment variables; ``None`` removes one."""
    before = {name: os.environ.get(name) for name in changes}
    _set(changes)
    try:
        yield
    finally:
        _set(before)


def _set(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@contextmanager
def provoked(provocation: Provocation) -> Iterator[None]:
    """Write a provocation's files and set its variables.

    Raises:
        TargetError: a file would be written outside the temporary folder.
    """
    with tempfile.TemporaryDirectory(prefix="agentgate-") as made:
        for name, text in provocation.files.items():
            path = Path(made) / _inside(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        changes = {
            name: None if value is None else value.replace(TMP, made)
            for name, value in provocation.environment.items()
        }
        with variables(changes):
            yield


def _inside(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise TargetError(
            f"a failure mode writes {name!r}",
            expected="a path below the call's own folder",
            seen=repr(name),
            way_out="name it without a leading '/' and without '..'",
            docs="docs/reference/contracts.md#provoked-by",
        )
    return path


def _called(setter: Setter, url: str) -> Any:
    try:
        return setter(url)
    except Exception as error:
        raise TargetError(
            "the function that points a tool to its endpoint raised",
            expected="a function of the URL",
            seen=f"{type(error).__name__}: {error}",
            way_out="mend it, or name another form of endpoint",
            docs=DOCS,
        ) from error


def _moved_copy(endpoint: Endpoint, file: Path, folder: Path, url: str) -> Path:
    replaced = _json_text if file.suffix.lower() == ".json" else _yaml_text
    pointer = str(endpoint.pointer)
    tokens = pointer.removeprefix("/").split("/")
    way = [token.replace("~1", "/").replace("~0", "~") for token in tokens]
    try:
        text = replaced(file.read_text("utf-8-sig"), way, url)
    except (LookupError, TypeError):
        raise _unusable(endpoint, f"nothing at {pointer!r}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise _unusable(endpoint, f"{type(error).__name__}: {error}") from None
    copy = folder / file.name
    copy.write_text(text, encoding="utf-8")
    return copy


def _json_text(text: str, way: list[str], url: str) -> str:
    content = place = json.loads(text)
    for token in way[:-1]:
        place = place[_key(place, token)]
    key = _key(place, way[-1])
    place[key] = moved(place[key], url)
    return json.dumps(content)


def _key(place: Any, token: str) -> Any:
    return _index(token) if isinstance(place, list) else token


def _index(token: str) -> int:
    if not token.isdecimal():
        raise LookupError(token)
    return int(token)


def _yaml_text(text: str, way: list[str], url: str) -> str:
    """Change the one value in the text: what is written anew may be read otherwise."""
    import yaml

    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None
    for token in way:
        if isinstance(node, yaml.SequenceNode):
            node = node.value[_index(token)]
        elif isinstance(node, yaml.MappingNode):
            node = {key.value: value for key, value in node.value}[token]
        else:
            raise LookupError(token)
    if node is None:
        raise LookupError(way)
    present = node.value if isinstance(node, yaml.ScalarNode) else None
    start, end = node.start_mark.index, node.end_mark.index
    return text[:start] + json.dumps(moved(present, url)) + text[end:]


def _unusable(endpoint: Endpoint, seen: str) -> TargetError:
    return TargetError(
        f"the endpoint in {endpoint.file} cannot be replaced",
        expected=f"a YAML or JSON file with an address at {endpoint.pointer!r}",
        seen=seen,
        way_out="correct 'file' and 'pointer' under faults.endpoints in the policy",
        docs=DOCS,
    )
