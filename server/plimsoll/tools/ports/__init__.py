"""The ports of tools: through them a tool reaches the editor, the session and the folder."""
