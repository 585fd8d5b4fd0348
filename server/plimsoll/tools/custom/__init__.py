"""Custom commands and agents: Markdown files that people write, here and for other agents."""
