"""How a server is reached, by a proxy or directly, and the errors if it is not."""
