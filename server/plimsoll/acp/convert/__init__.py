"""What a session says and holds, as the values of ACP: pure functions."""
