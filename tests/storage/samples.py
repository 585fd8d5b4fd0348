"""Sessions and entries for the tests of the store: those of the checks of every store."""

from plimsoll.storage.conformance.base import AT, pair, record, said, unchanged

__all__ = ["AT", "pair", "record", "said", "unchanged"]
