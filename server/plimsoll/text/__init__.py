"""Analysis of texts by their words: instructions, corrections, similarity, lines. Pure."""
