"""Sessions that travel between the machines of a person: sent as they grow, and brought here."""
