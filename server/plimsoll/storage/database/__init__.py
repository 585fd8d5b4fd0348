"""The database of a project: opens, checks and locks it, and runs units of work in it."""
