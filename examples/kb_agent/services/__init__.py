"""The two services that the agent calls over HTTP; the agent imports neither."""
