"""Editors and the terminal: what loads our plugins there, and which editors this machine has."""
