"""Values in, text out: reports never grade, decide, or write files."""
