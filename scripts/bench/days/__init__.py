"""Recordings of long work, made on demand: the product is driven over repositories of others."""
