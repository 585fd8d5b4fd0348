"""The seconds for which a supervisor waits for what it ends, and its callers for it."""

GRACE_SECONDS = 2.0
"""What a process has to end by itself."""
KILL_SECONDS = 5.0
"""A process in an uninterruptible call cannot be killed; waiting for it would hang the turn."""
