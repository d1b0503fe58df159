"""The built-in rules, one family per file; members never import each other."""

from __future__ import annotations

from ..registry import Registry
from . import context, contract, envelope, honesty, hygiene, recovery, trajectory

BUILT_IN = (
    *envelope.RULES,
    *honesty.RULES,
    *recovery.RULES,
    *hygiene.RULES,
    *context.RULES,
    *contract.RULES,
    *trajectory.RULES,
)


def built_in() -> Registry:
    """Return a registry of all built-in rules, in catalogue order."""
    return Registry(BUILT_IN)
