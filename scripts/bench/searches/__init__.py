"""What a search costs as a folder grows."""
