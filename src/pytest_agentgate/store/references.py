"""What ``module:attribute`` in a policy stands for."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from ..errors import PolicyError, nearest

DOCS = "docs/reference/policy.md#references"


def resolve(reference: str, base: Path) -> Any:
    """Import what a policy refers to.

    The folder is put first on ``sys.path`` and stays there, since the module may
    import its neighbours later.

    Args:
        reference: ``module:attribute``; both may have dots.
        base: the policy's folder.

    Raises:
        PolicyError: there is no such module or attribute, or the import failed.
    """
    module_name, colon, attribute = reference.partition(":")
    names = [*module_name.split("."), *attribute.split(".")]
    if not colon or not all(name.isidentifier() for name in names):
        raise PolicyError(
            f"{reference!r} is no reference",
            expected="module:attribute, such as agent.tools:execute_tool",
            seen=repr(reference),
            way_out="put a colon between the module and what is in it",
            docs=DOCS,
        )
    found: Any = _import(module_name, base, reference)
    for name in attribute.split("."):
        if not hasattr(found, name):
            raise _no_attribute(reference, found, name)
        found = getattr(found, name)
    return found


def _import(module_name: str, base: Path, reference: str) -> ModuleType:
    folder = str(base.absolute())
    if sys.path[:1] != [folder]:
        sys.path.insert(0, folder)
    importlib.invalidate_caches()
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if f"{module_name}.".startswith(f"{missing}."):
            raise _no_module(reference, missing, base) from error
        raise _import_failed(reference, error) from error
    # The import runs the user's code, which may raise or exit as it likes.
    except (Exception, SystemExit) as error:
        raise _import_failed(reference, error) from error


def _no_module(reference: str, missing: str, base: Path) -> PolicyError:
    here = {path.stem for path in base.glob("*.py")}
    here |= {path.parent.name for path in base.glob("*/__init__.py")}
    return PolicyError(
        f"{reference!r}: there is no module {missing!r}",
        expected=f"a module importable from {base}",
        seen="modules there: " + (", ".join(sorted(here)[:10]) or "none"),
        way_out=nearest(missing, here) if here else "check the policy's folder",
        docs=DOCS,
    )


def _no_attribute(reference: str, owner: Any, name: str) -> PolicyError:
    public = [known for known in dir(owner) if not known.startswith("_")]
    return PolicyError(
        f"{reference!r}: {getattr(owner, '__name__', owner)!s} has no {name!r}",
        expected="the name of something in it",
        seen=repr(name),
        way_out=nearest(name, public) if public else "define it",
        docs=DOCS,
    )


def _import_failed(reference: str, error: BaseException) -> PolicyError:
    return PolicyError(
        f"{reference!r}: its import failed",
        expected="a module that imports without an error",
        seen=f"{type(error).__name__}: {error}",
        way_out="import the module by hand and mend what it says",
        docs=DOCS,
    )
