"""Keeps the secrets of this process out of everything shown, stored or inherited.

The one list of secret variables is `variables.py`; tools keep them from child processes, and
`secrets.py` replaces their values in texts. Standard library alone, no input or output.
"""
