"""The tools that act on the session itself: history, tasks, context and memory."""
