"""What the sessions of a folder need of others and say to them: ports, values and events."""
