import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tokens.counter import CountCache


def test_what_was_put_is_found_and_nothing_else():
    cache = CountCache()
    cache.put("short", 1)
    cache.put("x" * 1_000, 2)
    assert [cache.get(text) for text in ("short", "x" * 1_000, "x" * 1_001, "")] == [
        1,
        2,
        None,
        None,
    ]


def test_the_texts_asked_for_longest_ago_go_first():
    cache = CountCache(limit=4)
    for text in "abcd":
        cache.put(text, 1)
    cache.get("a")
    cache.put("e", 1)
    assert [cache.get(text) for text in "aebc"] == [1, 1, None, 1]


def test_what_is_put_again_is_held_once():
    cache = CountCache()
    cache.put("a", 1)
    cache.put("a", 2)
    assert (cache.get("a"), len(cache)) == (2, 1)


@given(st.lists(st.integers(0, 60).map("x".__mul__), max_size=80), st.integers(2, 30))
def test_there_are_never_more_than_the_limit_and_the_newest_half_is_known(texts, limit):
    cache = CountCache(limit)
    for text in texts:
        cache.put(text, len(text))
        assert len(cache) <= limit
    newest = list(dict.fromkeys(reversed(texts)))[: limit // 2]
    assert [cache.get(text) for text in newest] == [len(text) for text in newest]
    assert all(cache.get(text) in {len(text), None} for text in texts)


def test_a_count_takes_the_bytes_that_are_said_whatever_the_text():
    texts = [f"{number} of the texts, {'which are long, ' * 20}" for number in range(20_000)]
    cache = CountCache()
    tracemalloc.start()
    try:
        for number, text in enumerate(texts):
            cache.put(text, 300 + number)
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert held / len(cache) < 150
