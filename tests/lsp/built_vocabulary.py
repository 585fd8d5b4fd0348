"""Builds the usual vocabulary as it is imported: processes that are forked then share it."""

from functools import cache

from plimsoll.tokens import vocabulary

vocabulary.build_encoding = cache(vocabulary.build_encoding)
vocabulary.build_encoding(vocabulary.SHIPPED, "o200k_base")
