"""The log of a session: entries that are only ever appended, and their form as JSON."""
