"""Custom commands: prompts that people have written as Markdown, sent by their names."""
