"""The tools shell and shell_read, and the processes that they start and end."""
