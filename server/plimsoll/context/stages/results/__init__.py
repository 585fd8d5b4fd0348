"""The tool results in view: their importance, their protection, and the notes that replace them."""
