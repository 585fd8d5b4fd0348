"""The sandboxes in which commands run, where the system has one."""
