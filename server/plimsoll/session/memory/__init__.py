"""Memories in a session: what it is told, and what is read of it for later ones."""
