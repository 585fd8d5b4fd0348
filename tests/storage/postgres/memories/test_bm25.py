"""The rank by words, beside that of SQLite, over random texts."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.storage.postgres.memories.bm25 import Corpus, Phrase, Text, inverse_frequency, score
from plimsoll.storage.postgres.memories.stems import stems

WORDS = st.sampled_from(["anchor", "anchors", "sail", "sailing", "Größe", "x9", "rope"])
TEXTS = st.lists(
    st.tuples(st.lists(WORDS, max_size=6), st.lists(WORDS, max_size=12)), min_size=1, max_size=12
)
COLUMNS = {"A": 1.5, "B": 1.0}


def of_sqlite(texts, query: str) -> dict[int, float]:
    connection = sqlite3.connect(":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE t USING fts5(a, b, tokenize = 'porter unicode61 remove_diacritics 2')"
    )
    rows = [(n, " ".join(a), " ".join(b)) for n, (a, b) in enumerate(texts)]
    connection.executemany("INSERT INTO t (rowid, a, b) VALUES (?, ?, ?)", rows)
    found = connection.execute("SELECT rowid, -bm25(t, 1.5, 1.0) FROM t WHERE t MATCH ?", (query,))
    ranks = dict(found.fetchall())
    connection.close()
    return ranks


def text_of(columns) -> Text:
    places, place = {}, 0
    for label, column in zip(COLUMNS, columns, strict=True):
        for stem in column:
            place += 1
            places.setdefault(stem, {})[place] = label
        place += 1
    return Text(sum(map(len, columns)), places)


@given(TEXTS, st.sampled_from(["anchor", "sail rope", "sailing", "große", "sai*", "rope anchors"]))
def test_each_text_has_the_rank_that_sqlite_gives_it(texts, asked):
    split = iter(stems([" ".join(column) for text in texts for column in text]))
    documents = [text_of((next(split), next(split))) for _ in texts]
    [words] = stems([asked.removesuffix("*")])
    phrase = Phrase(tuple(words), asked.endswith("*"))
    corpus = Corpus(len(texts), sum(each.length for each in documents) / len(texts))
    query = f'"{asked.removesuffix("*")}"' + "*" * asked.endswith("*")
    expected = of_sqlite(texts, query)

    weighted = [(phrase, inverse_frequency(corpus, len(expected)))]
    ours = {n: score(each, weighted, COLUMNS, corpus) for n, each in enumerate(documents)}

    assert {n: rank for n, rank in ours.items() if rank} == pytest.approx(expected)


def test_stems_come_in_their_order_and_a_text_without_words_has_none():
    assert stems(["The Anchors were weighed", "--", ""]) == [
        ["the", "anchor", "were", "weigh"],
        [],
        [],
    ]
