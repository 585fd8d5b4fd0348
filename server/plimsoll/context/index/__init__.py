"""Indexes of facts that are read once from each entry: names, references, results, lines."""
