"""The decision record in a request."""
