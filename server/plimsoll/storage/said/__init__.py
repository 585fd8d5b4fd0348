"""The search for words in messages of a project's sessions."""
