"""A person's choices for a folder: skills switched off, and permissions."""
