"""Where sessions are kept: one database per project, behind a port."""
