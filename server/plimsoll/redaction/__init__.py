"""What is secret in this process, and how it is kept out of whatever is shown, kept or inherited.

The one list of secret variables is `variables.py`; tools keep them from child processes, and
`secrets.py` replaces their values in texts. Standard library alone, no input or output.
"""
