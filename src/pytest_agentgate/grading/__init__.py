"""Deterministic judgement: rules over results, contracts and trajectories, no I/O."""
