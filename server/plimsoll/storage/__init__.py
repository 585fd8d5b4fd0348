"""Stores sessions and memories: one database for each project, behind a port."""
