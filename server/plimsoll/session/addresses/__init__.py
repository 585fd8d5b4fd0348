"""Where a session may be sent, and the gate before each request."""
