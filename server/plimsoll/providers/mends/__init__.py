"""Mends: other forms of a request, for servers that refuse the usual one."""
