"""The pure core: works out what the model holds and reduces it, by the standard library alone."""
