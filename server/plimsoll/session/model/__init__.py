"""Which model a session talks to: its window, and the profile of texts that suits it."""
