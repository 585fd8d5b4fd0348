"""Requests: each is run, can be cancelled, and is answered exactly once; and how it all ends."""
