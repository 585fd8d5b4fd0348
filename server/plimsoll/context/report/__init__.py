"""What people see of the context: the report, receipts, the meter and titles."""
