"""What is done with the library ``mcp``, an extra: loaded with the first server, by nobody else."""
