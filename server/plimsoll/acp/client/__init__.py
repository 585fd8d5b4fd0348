"""Requests of a session to the client: decisions of the person, texts of files."""
