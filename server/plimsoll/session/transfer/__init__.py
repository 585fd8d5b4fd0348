"""Conversations that come and go: messages of other agents, export, import and replay."""
