"""What is learned once of each entry as the log grows: names, references, results, shared lines."""
