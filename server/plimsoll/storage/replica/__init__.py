"""This machine's copy of a shared project, in the folder's own SQLite store."""
