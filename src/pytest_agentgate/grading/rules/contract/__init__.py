"""The family contract: what a tool promises (ADR-016)."""

from __future__ import annotations

from . import fidelity, names, promises, schemas

RULES = (*names.RULES, *schemas.RULES, *fidelity.RULES, *promises.RULES)
