"""What a tool promises and what it returns: values and readings of them, no I/O."""
