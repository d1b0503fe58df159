"""JSON Schemas of tools: walked, compared, and turned into inputs to try; no I/O.

The parts are imported one by one: what only validates needs no comparing.
"""
