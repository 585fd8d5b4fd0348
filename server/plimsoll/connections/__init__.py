"""The addresses at which models were connected: kept, listed, and named in a model's id."""
