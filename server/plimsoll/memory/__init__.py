"""What the project remembers between conversations: decided here, stored elsewhere."""
