"""Commands about MCP servers: what they are and do, and their prompts."""
