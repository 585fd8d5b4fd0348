"""The editor's open documents: their text, what is typed, the hunks in them, what it knows."""
