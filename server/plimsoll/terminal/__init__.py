"""The terminal as a front door: its commands, and what they read and print."""
