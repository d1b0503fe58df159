"""Where a ``$ref`` leads: inside its own document, never over the network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote, urldefrag, urljoin

from .walk import escaped, places

KEYWORDS = ("$ref", "$dynamicRef", "$recursiveRef")
_NAMES = frozenset(("$id", "id", "$anchor", "$dynamicAnchor"))
_OLD = re.compile(r"draft-0[3467]/")
# Below these a ``$ref`` is met again by the same value: nothing of it was consumed.
_IN_PLACE = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else")


class Target(NamedTuple):
    """What a ``$ref`` leads to.

    Attributes:
        schema: the schema there.
        pointer: where it stands in the document.
    """

    schema: Any
    pointer: str


class Reference(NamedTuple):
    """A ``$ref`` that is wrong, or worth to know of.

    Attributes:
        pointer: JSON pointer of the schema that holds it.
        ref: its value.
        remote: whether it points outside of the document, where nobody looks.
        consuming: of a cycle: whether a value gets smaller on the way round, as in a
            tree. One that does not can never be answered.
    """

    pointer: str
    ref: str
    remote: bool = False
    consuming: bool = False


class Document:
    """A whole schema, in which references are looked up.

    Attributes:
        root: the whole schema.
        siblings: whether keywords beside a ``$ref`` count: from 2019-09 on.
    """

    def __init__(self, root: Any) -> None:
        self.root = root
        dialect = root.get("$schema") if isinstance(root, dict) else None
        self.siblings = not (isinstance(dialect, str) and _OLD.search(dialect))
        self._named: dict[str, Target] | None = None
        self._bases: dict[str, str] = {}

    def target(self, ref: Any, pointer: str = "") -> Target | None:
        """Return what a ``$ref`` at that pointer leads to, ``None`` for nowhere."""
        if not isinstance(ref, str):
            return None
        if ref == "#" and not self._identified():
            return Target(self.root, "")
        if ref.startswith("#/") and not self._identified():
            return _at(self.root, unquote(ref[1:]), "")
        named = self._names()
        whole = _joined(self._base(pointer), ref)
        if whole in named:
            return named[whole]
        address, fragment = urldefrag(whole)
        resource = named.get(address)
        if resource is None or (fragment and not fragment.startswith("/")):
            return None
        return _at(resource.schema, unquote(fragment), resource.pointer)

    def remote(self, ref: str, pointer: str = "") -> bool:
        """Whether a reference points outside of the document."""
        address = urldefrag(_joined(self._base(pointer), ref))[0]
        return bool(address) and address not in self._names()

    def _identified(self) -> bool:
        return len(self._names()) > 1

    def _base(self, pointer: str) -> str:
        while pointer and self._bases:
            if pointer in self._bases:
                return self._bases[pointer]
            pointer = pointer.rpartition("/")[0]
        return self._bases.get("", "")

    def _names(self) -> dict[str, Target]:
        if self._named is None:
            self._named = {"": Target(self.root, "")}
            for place in places(self.root):
                if isinstance(place.schema, dict) and not _NAMES.isdisjoint(
                    place.schema
                ):
                    self._name(place.pointer, place.schema)
        return self._named

    def _name(self, pointer: str, schema: dict[str, Any]) -> None:
        assert self._named is not None
        target = Target(schema, pointer)
        base = self._base(pointer)
        for keyword in ("$id", "id"):
            name = schema.get(keyword)
            if isinstance(name, str) and ("$ref" not in schema or self.siblings):
                whole = _joined(base, name).removesuffix("#")
                self._named.setdefault(whole, target)
                if not name.startswith("#"):
                    base = self._bases[pointer] = urldefrag(whole)[0]
                break
        for keyword in ("$anchor", "$dynamicAnchor"):
            if isinstance(schema.get(keyword), str):
                self._named.setdefault(_joined(base, f"#{schema[keyword]}"), target)


def dangling(schema: Any) -> tuple[Reference, ...]:
    """Return every reference without a target; a remote one has none."""
    document = Document(schema)
    return tuple(
        Reference(pointer, str(ref), isinstance(ref, str) and document.remote(ref))
        for pointer, ref in _references(schema)
        if document.target(ref, pointer) is None
    )


def cycles(schema: Any) -> tuple[Reference, ...]:
    """Return every reference that leads back to a schema that holds it.

    Those that consume nothing of a value (``a`` is ``a``) are broken; the others make
    a recursive type, such as a tree, which JSON Schema allows.
    """
    document = Document(schema)
    led = [
        (pointer, str(ref), found.pointer)
        for pointer, ref in _references(schema)
        if (found := document.target(ref, pointer)) is not None
    ]
    targets = {target for _, _, target in led}
    holders = {pointer: _holders(pointer, targets) for pointer, _, _ in led}
    stuck, around = _Graph(), _Graph()
    for pointer, _, target in led:
        for holder in holders[pointer]:
            around.edge(holder, target)
            if _in_place(holder, pointer):
                stuck.edge(holder, target)
    stuck.settle()
    around.settle()
    cyclic = []
    for pointer, ref, target in led:
        held = [one for one in holders[pointer] if around.same(one, target)]
        if any(_in_place(one, pointer) and stuck.same(one, target) for one in held):
            cyclic.append(Reference(pointer, ref))
        elif held:
            cyclic.append(Reference(pointer, ref, consuming=True))
    return tuple(cyclic)


def resolved(schema: Any, root: Any) -> Any:
    """Follow a schema's ``$ref`` to a schema without one; ``None`` for nowhere.

    Keywords beside a ``$ref`` are left behind; use ``shape`` where they count.
    """
    document, seen = Document(root), set()
    while isinstance(schema, dict) and "$ref" in schema:
        target = document.target(schema["$ref"])
        if target is None or target.pointer in seen:
            return None
        seen.add(target.pointer)
        schema = target.schema
    return schema


def _references(schema: Any) -> Iterator[tuple[str, Any]]:
    for place in places(schema):
        if isinstance(place.schema, dict):
            for keyword in KEYWORDS:
                if keyword in place.schema:
                    yield place.pointer, place.schema[keyword]


def _holders(pointer: str, targets: set[str]) -> tuple[str, ...]:
    """Return the targets that hold the schema at that pointer."""
    if len(targets) < pointer.count("/"):
        below = f"{pointer}/"
        return tuple(one for one in targets if below.startswith(f"{one}/"))
    found = []
    while True:
        if pointer in targets:
            found.append(pointer)
        if not pointer:
            return tuple(found)
        pointer = pointer.rpartition("/")[0]


def _in_place(outer: str, inner: str) -> bool:
    parts = inner[len(outer) :].split("/")[1:]
    return all(part in _IN_PLACE or part.isdigit() for part in parts)


class _Graph:
    """Which nodes of a directed graph reach each other (strong components)."""

    def __init__(self) -> None:
        self._edges: dict[str, set[str]] = {}
        self._component: dict[str, str] = {}

    def edge(self, start: str, end: str) -> None:
        self._edges.setdefault(start, set()).add(end)
        self._edges.setdefault(end, set())

    def same(self, one: str, other: str) -> bool:
        return self._component.get(one, one) == self._component.get(other, other)

    def settle(self) -> None:
        backwards: dict[str, set[str]] = {node: set() for node in self._edges}
        for node, ends in self._edges.items():
            for end in ends:
                backwards[end].add(node)
        for root in reversed(self._finished()):
            ahead = [root]
            while ahead:
                node = ahead.pop()
                if node not in self._component:
                    self._component[node] = root
                    ahead.extend(backwards[node])

    def _finished(self) -> list[str]:
        order: list[str] = []
        seen: set[str] = set()
        for root in self._edges:
            if root in seen:
                continue
            seen.add(root)
            stack = [(root, iter(self._edges[root]))]
            while stack:
                node, ends = stack[-1]
                ahead = next((end for end in ends if end not in seen), None)
                if ahead is None:
                    order.append(node)
                    stack.pop()
                else:
                    seen.add(ahead)
                    stack.append((ahead, iter(self._edges[ahead])))
        return order


def _joined(base: str, ref: str) -> str:
    if ref.startswith("#"):
        return urldefrag(base)[0] + ref.removesuffix("#" if ref == "#" else "")
    try:
        return urljoin(base, ref)
    except ValueError:  # no address at all, such as "http://["
        return ref


def _at(schema: Any, pointer: str, start: str) -> Target | None:
    """Look a JSON pointer up below a schema that itself stands at ``start``."""
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(schema, dict) and name in schema:
            schema = schema[name]
        elif (
            isinstance(schema, list)
            and name.isdecimal()
            and name.isascii()
            and int(name) < len(schema)
        ):
            schema = schema[int(name)]
        else:
            return None
        start = f"{start}/{escaped(name)}"
    return Target(schema, start)
