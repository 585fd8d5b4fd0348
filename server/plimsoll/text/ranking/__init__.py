"""Ranks named things, such as tools, by the words of a question."""
