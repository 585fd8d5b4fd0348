"""The wire, version 1: each name and field that crosses it; `methods` is the list of methods."""
