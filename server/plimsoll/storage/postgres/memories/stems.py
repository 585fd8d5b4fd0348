"""The words of texts as SQLite's full-text index has them, so that both engines find the same."""

import sqlite3
from collections import defaultdict
from collections.abc import Sequence

_TABLE = "CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = '{}')"
_TOKENIZER = "porter unicode61 remove_diacritics 2"
"""That of the memories' table in SQLite (`storage/database/migrations.py`)."""
_INSTANCES = """
CREATE VIRTUAL TABLE instances USING fts5vocab(texts, instance)
"""


def stems(texts: Sequence[str]) -> list[list[str]]:
    """Return the stems of each text, in their order."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute(_TABLE.format(_TOKENIZER))
        connection.execute(_INSTANCES)
        connection.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", enumerate(texts))
        found = defaultdict[int, list[tuple[int, str]]](list)
        for term, row, offset in connection.execute("SELECT term, doc, offset FROM instances"):
            found[row].append((offset, term))
    finally:
        connection.close()
    return [[term for _, term in sorted(found[row])] for row in range(len(texts))]
