"""Memories of a project between conversations: decides what is kept and told; storage keeps it."""
