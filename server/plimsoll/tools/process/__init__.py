"""The tool shell, and the processes that it starts and ends."""
