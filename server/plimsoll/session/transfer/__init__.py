"""Messages from elsewhere: appends of other agents, export, import and replay."""
