"""What the model sees: the fold of the log into the items and messages of the next request."""
