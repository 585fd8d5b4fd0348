"""`plimsoll mcp`: servers of the Model Context Protocol, and Plimsoll as one."""
