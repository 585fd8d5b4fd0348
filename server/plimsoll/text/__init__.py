"""The words of texts: which carry meaning, and when two texts say the same. Pure."""
