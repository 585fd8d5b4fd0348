"""The memories of a shared PostgreSQL: their rows, changes, full-text index and search."""
