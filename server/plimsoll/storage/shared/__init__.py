"""What a project shares with other people and machines: the values that travel, and two ports."""
