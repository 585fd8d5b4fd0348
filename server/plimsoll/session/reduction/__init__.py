"""Reductions of one session: of a result as it arrives, before a request, on a person's word."""
