"""What is known of models by their names: windows, limits, tokenizers, abilities and prices.

One data file, `models.json`, made of two published tables by `scripts/lib/build_catalog.py`, and
read with the first question. Standard library alone.
"""
