"""The embedded provider: a search of the workspace that quotes lines, without any model."""
