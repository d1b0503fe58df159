"""From trials to a decision: plan, outcomes, gates, manifest. No I/O."""
