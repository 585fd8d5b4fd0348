"""The file tools, and how a file is found, opened, read and written safely."""
