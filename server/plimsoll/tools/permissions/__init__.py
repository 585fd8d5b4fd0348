"""What can be allowed for good: commands whose words say what runs, and edits below a folder."""
