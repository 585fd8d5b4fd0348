"""The layers of the prompt that say who is asked, where, and when."""
