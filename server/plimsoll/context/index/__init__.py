"""Facts read once from each entry as the log grows: names, references, results, shared lines."""
