"""The log of a session as it is kept and folded."""
