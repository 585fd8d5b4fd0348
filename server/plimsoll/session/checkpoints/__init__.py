"""Files as they were when a prompt was said, and how they are put back."""
