"""The file tools, and the one safe way to find, open, read and write a file."""
