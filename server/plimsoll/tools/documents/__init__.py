"""Files that are no text and yet can be read as one: notebooks and PDF documents."""
