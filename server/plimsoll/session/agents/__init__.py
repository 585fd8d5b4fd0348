"""Subagents: sessions in which another agent works for the one that has called it."""
