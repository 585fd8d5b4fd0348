"""The person's hooks: when they run, what they are given, and what their answers may do."""
