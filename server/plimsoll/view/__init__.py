"""The context of a session in a browser: a page on loopback, which its own command alone loads."""
