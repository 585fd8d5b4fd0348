"""Shapes of what others bring into a session: servers of tools."""
