"""What the kernel itself holds a command to. Standard library only: a supervisor loads it."""
