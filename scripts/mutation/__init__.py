"""Mutants of the code, and whether the tests notice them; see ``scripts/mutants``."""
