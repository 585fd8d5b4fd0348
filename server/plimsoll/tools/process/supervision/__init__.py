"""Supervisors: each runs one command, and ends it with all that it started.

A kept process, the fork server, forks them: to start Python takes longer than most commands.
"""
