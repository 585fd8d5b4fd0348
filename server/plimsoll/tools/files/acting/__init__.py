"""The table of names on which programs act unasked: who does, when, and where that is written."""
