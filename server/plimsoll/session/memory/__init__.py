"""Memories in a session: tells them to the model, and reads the session for new ones."""
