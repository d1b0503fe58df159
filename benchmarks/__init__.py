"""Ratios measured side by side in one run; absolute times are the machine's."""
