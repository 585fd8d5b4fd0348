"""Secrets recognised by their shape, so that none is remembered."""
