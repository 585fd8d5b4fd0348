"""What git itself would resolve in a workspace: its folders, its configuration, what it runs."""
