"""A person's choices for a folder: pins, permissions, and skills switched off."""
