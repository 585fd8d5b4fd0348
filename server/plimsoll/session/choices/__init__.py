"""What a person can choose for a session: its model, and the profile of settings."""
