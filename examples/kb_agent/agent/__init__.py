"""A small agent that answers questions about a project by calling four tools."""
