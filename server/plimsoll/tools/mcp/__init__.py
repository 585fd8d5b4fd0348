"""Servers of the Model Context Protocol: how they are run, what they offer, and their tools."""
