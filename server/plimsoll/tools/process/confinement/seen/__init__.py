"""What of the disk a confined command sees, looked at so that no entry can break the look."""
