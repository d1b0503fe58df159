"""Family recovery: every failure path carries cause, remedy and stop (SYS-003 §3).

Judged on ``error``, and on ``warning`` that delivered nothing. A structured field
that is present and usable settles its question; wording is evidence only, and where
neither settles it the answer is abstain.
"""

from __future__ import annotations

from .carried import expected, remediation, root_cause, stop_condition
from .soundness import actionable, retry_after, retry_class, tainted, unsafe_retry

RULES = (
    root_cause,
    remediation,
    stop_condition,
    expected,
    actionable,
    unsafe_retry,
    retry_class,
    retry_after,
    tainted,
)
