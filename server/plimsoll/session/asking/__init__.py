"""One request to a model: the gate before it, its answer as it streams in, what it costs."""
