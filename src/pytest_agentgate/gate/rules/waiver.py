"""The family waiver: exceptions that are over, or that nothing needs any more."""

from __future__ import annotations

from ...grading.registry import Rule

RULES = (
    Rule(
        id="waiver.expired",
        subject="run",
        severity="review",
        fails_when="a waiver is past its last day",
        why="An exception without an end is a rule nobody agreed to.",
        way_out="mend the finding, or waive it again under somebody's name",
    ),
    Rule(
        id="waiver.unused",
        subject="run",
        severity="warning",
        fails_when="a whole run met nothing that a waiver waives",
        why="A waiver that is not needed hides the next finding of its kind.",
        way_out="delete the entry",
    ),
)
