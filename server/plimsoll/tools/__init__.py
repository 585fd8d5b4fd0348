"""The tools that a model may call, each behind its own gate."""
