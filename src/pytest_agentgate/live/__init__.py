"""What talks to running things: dispatchers, targets."""
