"""The database of a project: how it is opened and locked, and how units of work run in it."""
