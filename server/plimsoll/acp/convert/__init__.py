"""Converts events, logs and prompts between a session and ACP: pure functions."""
