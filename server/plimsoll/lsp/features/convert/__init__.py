"""Converts values of the session and the context to wire models, and back."""
