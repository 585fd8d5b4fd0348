"""The context for people: the report, receipts, the meter and titles."""
