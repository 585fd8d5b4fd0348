"""What was said and done in a session, as entries that are only ever appended."""
