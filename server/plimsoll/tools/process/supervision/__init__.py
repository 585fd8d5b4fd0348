"""Supervisors: each runs one command, and ends it with all that it started."""
