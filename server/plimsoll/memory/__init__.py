"""The memories of a project across sessions: what is kept, and what a new session is told."""
