"""Checks that a store of sessions, pins and memories must pass, for whoever writes another one."""
