"""Git worktrees of our own: an agent works in one beside the person's folder, and is merged."""
