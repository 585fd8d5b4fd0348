"""Slash commands, and the Markdown in which they answer."""
