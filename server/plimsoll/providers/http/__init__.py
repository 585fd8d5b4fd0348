"""Shared by all HTTP dialects: the client, event streams, retries and errors."""
