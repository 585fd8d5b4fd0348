"""Facts about models by name: windows, limits, tokenizers, abilities and prices.

One data file, `models.json`, is built from two published tables by `scripts/lib/build_catalog.py`,
and read when first needed. Standard library alone.
"""
