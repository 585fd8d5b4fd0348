"""What the server does for a client: handlers, a file an area, and what they convert and share."""
