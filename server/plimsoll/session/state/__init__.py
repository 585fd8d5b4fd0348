"""The state of one live session: its answers, its prompts that wait, its notes, what it cost."""
