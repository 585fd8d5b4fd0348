"""What of MCP servers a person uses in a session: what they name, send, attach and are asked."""
