"""Tools over what the editor knows of the code, with other sources where it knows nothing."""
