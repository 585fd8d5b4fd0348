"""One conversation: its log, its turns, and what it says while it works."""
