"""Rules about a run, one family per file; members never import each other."""

from __future__ import annotations

from . import gate, report, theatre, waiver

RUN_RULES = (*gate.RULES, *theatre.RULES, *report.RULES, *waiver.RULES)
UNCONDITIONAL = ("gate", "report")
"""Families that no policy may ignore: a gate without them decides nothing."""
