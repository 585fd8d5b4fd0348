"""What runs beside a conversation: summaries, readers for memories, messages for commits."""
