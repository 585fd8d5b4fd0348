"""Reports on the context for people: items, receipts, history and titles."""
