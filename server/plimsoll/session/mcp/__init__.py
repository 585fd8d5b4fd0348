"""MCP servers in a session: what a prompt names of them, and their questions to the person."""
