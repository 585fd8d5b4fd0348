"""Locks between processes: on open files, on sessions, and around a whole store.

The kernel frees all of them when their process ends, however it ends.
"""
