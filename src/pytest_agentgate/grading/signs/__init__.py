"""Signs in a result's values and texts: what rules of several families look for.

Each module reads one kind of sign and judges nothing. All work is bounded: walks stop
after a number of nodes, patterns are linear or look at a bounded piece of text.
"""
