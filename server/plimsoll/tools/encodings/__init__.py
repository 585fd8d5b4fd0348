"""Guesses the encoding of a text that is no UTF-8."""
