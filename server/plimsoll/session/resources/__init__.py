"""What a session uses of its folder: the right to write, files, models, memories, money."""
