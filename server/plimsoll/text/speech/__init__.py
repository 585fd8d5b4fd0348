"""Whose words a text is: typed by the person, or pasted."""
