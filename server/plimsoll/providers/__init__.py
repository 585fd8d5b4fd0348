"""Model providers: one port, one file a kind, and the registry of names."""
