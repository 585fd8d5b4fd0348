from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tokens.counter import OVERHEAD, WHOLE, CountCache


def test_what_was_put_is_found_and_nothing_else():
    cache = CountCache()
    long = "x" * (WHOLE + 1)
    cache.put("short", 1)
    cache.put(long, 2)
    assert [cache.get(text) for text in ("short", long, "x" * (WHOLE + 1), "x" * (WHOLE + 2))] == [
        1,
        2,
        2,
        None,
    ]


def test_the_texts_asked_for_longest_ago_go_first():
    cache = CountCache(limit=3 * (OVERHEAD + 1))
    for text in "abc":
        cache.put(text, 1)
    cache.get("a")
    cache.put("d", 1)
    assert [cache.get(text) for text in "abcd"] == [1, None, 1, 1]


def test_what_is_put_again_weighs_once():
    cache = CountCache()
    cache.put("a", 1)
    cache.put("a", 2)
    assert (cache.get("a"), cache.weight) == (2, OVERHEAD + 1)


def test_a_text_beyond_the_limit_is_not_kept():
    cache = CountCache(limit=50)
    cache.put("a", 1)
    assert cache.get("a") is None
    assert cache.weight == 0


@given(st.lists(st.integers(0, 2 * WHOLE).map("x".__mul__), max_size=40), st.integers(0, 3000))
def test_the_weight_never_passes_the_limit(texts, limit):
    cache = CountCache(limit)
    for text in texts:
        cache.put(text, len(text))
        assert 0 <= cache.weight <= limit
    assert all(cache.get(text) in {len(text), None} for text in texts)
