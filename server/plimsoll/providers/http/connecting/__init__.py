"""How a server is reached, by a proxy or directly, and what is said where it is not."""
