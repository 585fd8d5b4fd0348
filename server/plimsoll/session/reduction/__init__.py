"""Reductions of one session: before a request, in idle time and on a person's word."""
