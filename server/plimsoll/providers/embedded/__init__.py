"""The model that needs no model: it searches the workspace, quotes lines, and says so."""
