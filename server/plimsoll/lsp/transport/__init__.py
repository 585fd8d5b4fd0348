"""Bytes: where they come from and go to, how they are cut into messages and read as JSON."""
