"""Layers of the prompt: system text, the rules of the project, workplace, skills, tasks, pins."""
