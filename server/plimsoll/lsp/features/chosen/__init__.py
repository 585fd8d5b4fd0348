"""Handlers of what a person chose for a folder: which skills are on, what is always allowed."""
