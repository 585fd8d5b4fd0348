"""A team's server as memories and clients become more."""
