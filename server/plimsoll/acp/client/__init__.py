"""What a session asks of the client: decisions, and files as it has them."""
