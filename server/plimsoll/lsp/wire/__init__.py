"""The wire, version 1: every name and field that crosses it, `methods` the one list of methods."""
