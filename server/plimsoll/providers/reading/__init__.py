"""Reads the calls and the stop reason of an answer from its pieces."""
