import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tokens.correction import Correction, RawCount, even
from plimsoll.tokens.counter import CountCache, Counter, Counters
from plimsoll.tokens.vocabulary import LIMIT

MEGABYTE = 1_000_000
CHINESE = range(0x4E00, 0x9FA5)
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ"
LONG: dict[str, Callable[[int], str]] = {
    "a": lambda size: "a" * size,
    "blanks": lambda size: " " * size,
    "tabs": lambda size: "\t" * size,
    "equals signs": lambda size: "=" * size,
    "newlines": lambda size: "\n" * size,
    "slashes on lines": lambda size: "\n/" * (size // 2),
    "Chinese": lambda size: "".join(map(chr, random.Random(5).choices(CHINESE, k=size))),
    "emoji": lambda size: "😀" * size,
    "joined emoji": lambda size: "👨\u200d👩\u200d👧" * (size // 5),
    "letters": lambda size: "".join(random.Random(5).choices(LETTERS, k=size)),
    "hex": lambda size: random.Random(5).randbytes(size // 2).hex(),
    "NUL": lambda size: "\0" * size,
    "combining marks": lambda size: "e" + "\u0301" * size,
    "lone surrogates": lambda size: "\ud800" * size,
}
"""Made by the test that reads them, since every process of the suite collects all tests."""

COUNTER = Counters().of("gpt-4")


class Measured:
    """Counts characters, and keeps what it was asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, chunk):
        self.asked.append(chunk)
        return len(chunk)


@pytest.fixture
def exact(vocabularies):
    return Counters(vocabularies).of("gpt-4o")


def test_nothing_is_measured_twice():
    measure = Measured()
    counter = Counter(name="characters", basis="counted", measure=measure)
    long = " ".join(map(str, range(LIMIT)))
    first = [counter.count(text) for text in ("abc", long)]
    asked = list(measure.asked)
    assert "".join(asked) == "abc" + long
    assert [counter.count(text) for text in ("abc", long)] == first == [3, len(long)]
    assert measure.asked == asked


def test_equal_chunks_of_a_run_are_measured_once():
    measured: list[str] = []

    def measure(chunk: str) -> int:
        measured.append(chunk)
        return len(chunk)

    counter = Counter(name="characters", basis="counted", measure=measure)
    assert counter.count("a" * LIMIT * 5 + "b") == LIMIT * 5 + 1
    assert measured == ["a" * LIMIT, "b"]


def test_only_well_formed_text_is_measured():
    measure = Measured()
    assert (
        Counter(name="characters", basis="counted", measure=measure).count("\ud83d\ude00\ud800")
        == 2
    )
    assert measure.asked == ["😀\ufffd"]


def test_a_correction_measures_nothing_again():
    measure = Measured()
    counter = Counter(
        name="characters", basis="estimated", measure=measure, correction=Correction(even(1.0), 0.1)
    )
    assert counter.count("x" * 100) == 100
    learned = counter.with_correction(Correction(even(1.25)))
    assert learned.count("x" * 100) == 125
    assert counter.count("x" * 100) == 100
    assert measure.asked == ["x" * 100]


def test_the_empty_text_is_neither_measured_nor_kept():
    measure = Measured()
    counter = Counter(name="characters", basis="counted", measure=measure)
    assert counter.count("") == 0
    assert measure.asked == []
    assert len(counter.cache) == 0


def test_an_exact_counter_has_no_margin():
    counter = Counter(name="characters", basis="counted", measure=len)
    assert counter.margin(100_000) == 0
    assert counter.raw("12 345") == RawCount(6, digits=3)
    assert counter.count("12 345") == 6


def test_the_margin_of_an_estimate_is_rounded_up():
    counter = Counter(
        name="characters", basis="estimated", measure=len, correction=Correction(even(1.15), 0.15)
    )
    assert [counter.margin(tokens) for tokens in (0, 1, 1000)] == [0, 1, 150]


@pytest.mark.parametrize("kind", LONG)
def test_three_chunks_of_one_pattern_are_counted(exact, kind):
    assert 0 < exact.count(LONG[kind](3 * LIMIT)) <= 9 * LIMIT


@pytest.mark.slow
@pytest.mark.parametrize("kind", LONG)
def test_a_megabyte_of_one_pattern_is_counted(exact, kind):
    assert 0 < exact.count(LONG[kind](MEGABYTE)) <= 3 * MEGABYTE


def test_the_count_is_the_tokenizers_own_for_text_with_everything_in_it(exact, vocabularies):
    text = 'def f():\n    return "中文 😀\x00\u200d"  # <|endoftext|> it\'s\r\n' * 2000
    assert len(text) > 2 * LIMIT
    assert exact.count(text) == len(vocabularies.encoding("o200k_base").encode_ordinary(text))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("hello world", 2),
        ("<|endoftext|>", 7),
        ("\ud83d\ude00", 1),
        ("\ud83d", 1),
        ("\x00", 1),
        ("中文", 1),
        ("   \n", 1),
    ],
)
def test_known_counts(exact, text, tokens):
    assert exact.count(text) == tokens


@given(st.text(st.characters(categories=None), max_size=100))
def test_any_text_can_be_counted(text):
    assert COUNTER.count(text) >= bool(text)


def test_threads_agree(vocabularies):
    counter = Counters(vocabularies).of("gpt-4o")
    texts = [f"line {number} of a text\n" * 50 for number in range(40)] * 8
    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(counter.count, texts))
    assert counts == [counter.count(text) for text in texts]


def test_the_cache_stays_within_its_limit_under_threads():
    counter = Counter(name="characters", basis="counted", measure=len, cache=CountCache(limit=500))
    start = threading.Barrier(4)

    def run(seed):
        start.wait()
        chance = random.Random(seed)
        return [
            counter.count(text) == len(text)
            for text in ("x" * chance.randrange(600) for _ in range(2000))
        ]

    with ThreadPoolExecutor(4) as pool:
        assert all(all(answers) for answers in pool.map(run, range(4)))
    assert 0 < len(counter.cache) <= 500
