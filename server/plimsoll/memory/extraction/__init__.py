"""Reads a conversation for memories: by set phrases, or by a model."""
