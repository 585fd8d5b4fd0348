"""Layers of the prompt: the agent, its workplace and the date; its tasks and the accepted plan."""
