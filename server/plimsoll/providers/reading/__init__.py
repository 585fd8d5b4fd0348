"""What an answer says, read from its pieces: its calls, and why it ended."""
