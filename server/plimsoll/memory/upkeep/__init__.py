"""Order among the memories, kept without being asked: what runs out, is too much, or is stale."""
