"""The bench `memorycode`."""
