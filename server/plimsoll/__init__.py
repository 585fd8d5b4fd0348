"""Plimsoll runs an AI agent for an editor and keeps its context window inside the load line."""

__version__ = "0.1.0"
