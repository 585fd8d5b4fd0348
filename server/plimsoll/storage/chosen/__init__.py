"""What a person chose for a folder: which skills are off, what is always allowed."""
