"""Finds what a person and the model said in the sessions of a project."""
