"""What the dialects over HTTP share: client, event streams, retries, faults, calls in pieces."""
