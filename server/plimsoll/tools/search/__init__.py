"""The tools grep and glob, and how files are walked, ignored and matched."""
