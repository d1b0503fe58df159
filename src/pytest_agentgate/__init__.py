"""A release gate for an agent's tool layer, as a pytest plugin and without it.

Every public name is resolved at first use, so that loading the plugin costs a
session that does not use it next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .contract.catalogue import Catalogue as Catalogue
    from .contract.catalogue import Definition as Definition
    from .contract.formats import parse as parse
    from .contract.mapping import ObservationMapping as ObservationMapping
    from .contract.observation import (
        Defect as Defect,
    )
    from .contract.observation import (
        Observation as Observation,
    )
    from .contract.observation import (
        ToolResult as ToolResult,
    )
    from .contract.tool import FailureMode as FailureMode
    from .contract.tool import Polling as Polling
    from .contract.tool import Provocation as Provocation
    from .contract.tool import Redaction as Redaction
    from .contract.tool import RetryPolicy as RetryPolicy
    from .contract.tool import ToolContract as ToolContract
    from .errors import AgentGateError as AgentGateError
    from .errors import GradeFailure as GradeFailure
    from .grading.context import Caps as Caps
    from .grading.context import Context as Context
    from .grading.finding import Finding as Finding
    from .grading.finding import abstain as abstain
    from .grading.finding import fail as fail
    from .grading.grading import Graded as Graded
    from .grading.grading import grade as grade
    from .grading.grading import grade_catalogue as grade_catalogue
    from .grading.grading import grade_contract as grade_contract
    from .grading.grading import grade_window as grade_window
    from .grading.registry import Example as Example
    from .grading.registry import Rule as Rule
    from .grading.registry import rule as rule
    from .grading.settings import RuleSettings as RuleSettings
    from .metrics import pass_at_k as pass_at_k
    from .metrics import pass_hat_k as pass_hat_k
    from .plugin.fixtures import AgentGate as AgentGate

_HOMES = {
    "AgentGate": "plugin.fixtures",
    "AgentGateError": "errors",
    "Caps": "grading.context",
    "Catalogue": "contract.catalogue",
    "Context": "grading.context",
    "Defect": "contract.observation",
    "Definition": "contract.catalogue",
    "Example": "grading.registry",
    "FailureMode": "contract.tool",
    "Finding": "grading.finding",
    "GradeFailure": "errors",
    "Graded": "grading.grading",
    "Observation": "contract.observation",
    "ObservationMapping": "contract.mapping",
    "Polling": "contract.tool",
    "Provocation": "contract.tool",
    "Redaction": "contract.tool",
    "RetryPolicy": "contract.tool",
    "Rule": "grading.registry",
    "RuleSettings": "grading.settings",
    "ToolContract": "contract.tool",
    "ToolResult": "contract.observation",
    "abstain": "grading.finding",
    "fail": "grading.finding",
    "grade": "grading.grading",
    "grade_catalogue": "grading.grading",
    "grade_contract": "grading.grading",
    "grade_window": "grading.grading",
    "parse": "contract.formats",
    "pass_at_k": "metrics",
    "pass_hat_k": "metrics",
    "rule": "grading.registry",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return __all__
