"""Whose words a text is: what a person said themselves, and what was pasted beside it."""
