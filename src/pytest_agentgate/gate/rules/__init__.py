"""Rules about a run, one family per file; members never import each other."""
