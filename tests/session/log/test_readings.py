"""What was read of a log is kept beside it, and is worth nothing where it is not right."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import exchange, user
from context.logs import logs
from examples import examples
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.index.names import NameIndex, names_in
from plimsoll.context.log.entries import Entry, Framed, Slot
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.ledger import Ledger
from plimsoll.errors import StoreUnavailable
from plimsoll.session.log import readings
from plimsoll.session.log.readings import KeptReading, digest_of
from plimsoll.tokens.counter import Counter, Counters

SAMPLE = "see grep_all in src/a.py, 404 of 1234567 lines: naïve Straße, self.pkg_roots.get(x)\n" * 3
LONG = [user("u1", "Look at the work."), *exchange(1, SAMPLE), *exchange(2, SAMPLE.upper())]


@dataclass
class Shelf:
    """Readings in memory."""

    data: bytes | None = None
    refuses: bool = False
    written: int = 0

    def read(self) -> bytes | None:
        return self.data

    def keep(self, data: bytes) -> None:
        if self.refuses:
            raise StoreUnavailable("the disk is full")
        self.data, self.written = data, self.written + 1


@dataclass
class Reader:
    """A process that opens a log: what it counts anew is listed."""

    measured: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        counter = Counters().of("scripted")

        def measure(text: str) -> int:
            self.measured.append(text)
            return counter.measure(text)

        self.counter: Counter = replace(counter, measure=measure)

    def open(self, shelf: Shelf, entries: Sequence[Entry]) -> Indexes:
        ledger = Ledger(self.counter.count, self.counter.count_schema)
        self.measured.clear()
        indexes = Indexes(Fold(ledger, entries))
        reading = KeptReading(entries, self.counter, indexes.names, shelf)
        known = reading.take_known()
        indexes.read_all()
        reading.keep_read(known)
        return indexes


@pytest.fixture(autouse=True)
def everything_is_kept(monkeypatch):
    monkeypatch.setattr(readings, "LEAST_UNREAD", 1)


def test_what_was_kept_is_not_counted_again():
    shelf = Shelf()
    first = Reader().open(shelf, LONG)
    again = Reader()
    second = again.open(shelf, LONG)
    assert not [text for text in again.measured if len(text) >= readings.LEAST_TEXT]
    assert second.fold.view == first.fold.view
    assert second.name_counts_in_view() == first.name_counts_in_view()
    assert second.references.counts() == first.references.counts()
    assert shelf.written == 1, "nothing new was read"
    names = NameIndex()
    KeptReading(LONG, Reader().counter, names, shelf).take_known()
    assert names.find_cached(SAMPLE), "what was kept of the names is taken, and not read again"


def test_what_came_since_is_read_and_kept_as_well():
    shelf, more = Shelf(), [*LONG, *exchange(3, SAMPLE.swapcase())]
    Reader().open(shelf, LONG)
    grown = Reader()
    grown.open(shelf, more)
    assert [text for text in grown.measured if len(text) >= readings.LEAST_TEXT] == [
        SAMPLE.swapcase()
    ]
    again = Reader()
    again.open(shelf, more)
    assert not [text for text in again.measured if len(text) >= readings.LEAST_TEXT]


def test_a_little_is_not_worth_a_file(monkeypatch):
    monkeypatch.setattr(readings, "LEAST_UNREAD", 10_000)
    shelf = Shelf()
    Reader().open(shelf, LONG)
    assert shelf.data is None


def test_a_full_disk_keeps_no_session_closed():
    assert (
        Reader().open(Shelf(refuses=True), LONG).fold.view == Reader().open(Shelf(), LONG).fold.view
    )


def test_no_word_of_the_log_and_nothing_of_a_frame_is_kept():
    frame = Framed(id="f1", at="t", kind=Slot.MEMORIES, slot="memories", text=SAMPLE.title())
    shelf = Shelf()
    Reader().open(shelf, [frame, *LONG])
    assert shelf.data is not None
    assert b"grep_all" not in shelf.data
    assert digest_of(SAMPLE).encode() in shelf.data
    assert digest_of(SAMPLE.title()).encode() not in shelf.data


@pytest.mark.parametrize(
    "harm",
    [
        lambda data: b"",
        lambda data: b"\xff",
        lambda data: b"[" * 100_000,
        lambda data: b"[]",
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b'"version":"1 ', b'"version":"0 '),
        lambda data: data.replace(b"o200k_base", b"cl100k_base"),
        lambda data: b'{"version":' + json.dumps(json.loads(data)["version"]).encode() + b"}",
    ],
)
def test_what_is_damaged_or_of_another_version_is_read_anew(harm):
    shelf = Shelf()
    first = Reader().open(shelf, LONG)
    assert shelf.data is not None
    shelf.data = harm(shelf.data)
    again = Reader()
    assert again.open(shelf, LONG).fold.view == first.fold.view
    assert SAMPLE in again.measured


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("count", "names"),
    [
        ([10**9, 0, 0], [0, 10**9]),
        ([-1, 0, 0], [-5, 3]),
        ([7, True, 0], [0, 0]),
        ([7, 0], [0, 3, 4]),
        ([7, 0, 0.5], ["grep_all"]),
    ],
)
def test_a_reading_that_cannot_be_is_made_anew(count, names):
    reader, index = Reader(), NameIndex()
    value = {
        "version": readings.version_of_counter(reader.counter),
        "counts": {digest_of(SAMPLE): count},
        "names": {digest_of(SAMPLE): names},
    }
    KeptReading(LONG, reader.counter, index, Shelf(json.dumps(value).encode())).take_known()
    assert reader.counter.raw(SAMPLE) == Reader().counter.raw(SAMPLE)
    assert index.of(SAMPLE) == names_in(SAMPLE)


@settings(max_examples=examples(100))
@given(count=JUNK, names=JUNK | st.lists(st.integers(-5, 500), max_size=6))
def test_a_tampered_reading_is_a_count_that_can_be_and_names_that_stand_there(count, names):
    reader, index = Reader(), NameIndex()
    value = {
        "version": readings.version_of_counter(reader.counter),
        "counts": {digest_of(SAMPLE): count},
        "names": {digest_of(SAMPLE): names},
    }
    KeptReading(LONG, reader.counter, index, Shelf(json.dumps(value).encode())).take_known()
    assert 0 <= reader.counter.count(SAMPLE) <= 4 * len(SAMPLE)
    assert all(name and name in SAMPLE for name in index.of(SAMPLE))


@settings(max_examples=examples(60))
@given(entries=logs())
def test_any_log_opens_the_same_with_its_readings_and_without(entries):
    shelf = Shelf()
    first, second = Reader().open(shelf, entries), Reader().open(shelf, entries)
    assert second.fold.view == first.fold.view
    assert second.name_counts_in_view() == first.name_counts_in_view()


def test_whoever_reads_otherwise_raises_the_number():
    count = Counters().of("scripted").raw(SAMPLE)
    found = sha256(repr((count, names_in(SAMPLE))).encode()).hexdigest()
    assert (readings.READING, found[:16]) == (1, "7c884b4faf16dd2c")
