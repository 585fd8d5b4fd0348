"""The decision record as a request carries it, in little room."""
