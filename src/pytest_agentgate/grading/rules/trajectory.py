"""The family trajectory, as far as a single call shows it."""

from __future__ import annotations

from ...trajectory.run import ToolCall
from ..context import Context
from ..finding import Finding, fail
from ..registry import rule
from ..schemas import first_violation


@rule(
    "trajectory.arguments",
    subject="trajectory",
    needs=("contract",),
    fails_when="arguments of a call in a run break the tool's input schema",
    way_out="say in the parameter's description what goes in, and close the schema",
)
def arguments(call: ToolCall, context: Context) -> Finding | None:
    """A call that the schema refuses can only fail, and repeating it fails again.

    Calls that a test makes itself are not judged: a recovery test passes wrong
    arguments on purpose.
    """
    schema = context.contract.input_schema if context.contract else None
    broken = first_violation(schema, dict(call.arguments)) if schema else None
    if broken is None or broken.unusable:
        return None
    return fail(
        f"the arguments of {call.name} break its input schema",
        expected=broken.expected,
        seen=broken.message,
        path=broken.path,
    )


RULES = (arguments,)
