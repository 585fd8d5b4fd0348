"""What can be seen of the process from outside: spans, counts and a log, with nobody's text."""
