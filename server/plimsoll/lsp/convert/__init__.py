"""Between the domain and the wire: pure functions, a file an area."""
