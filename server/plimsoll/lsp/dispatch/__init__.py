"""Runs requests: each can be cancelled and is answered exactly once; ends the process."""
