"""One conversation: its log, its turns, and the events that it sends while it works."""
