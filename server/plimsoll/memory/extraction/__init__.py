"""Extraction of memories from a conversation, by set phrases or by a model."""
