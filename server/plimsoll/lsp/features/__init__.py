"""Handlers of the client's requests, a file for each area, and what they share."""
