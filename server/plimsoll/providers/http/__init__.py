"""Shared by the dialects over HTTP: the client, event streams, retries and faults."""
