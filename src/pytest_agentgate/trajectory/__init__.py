"""What one run of a target did: its calls and its answer. No I/O."""
