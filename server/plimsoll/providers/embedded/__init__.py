"""The embedded provider, without any model: it searches the workspace and quotes lines."""
