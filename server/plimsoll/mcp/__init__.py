"""Plimsoll as a server of the Model Context Protocol: what a folder knows, for other agents."""
