"""Reads the rows of a SQLite file page by page, without SQLite, leaving out what is damaged.

SQLite reaches rows by the pages above them, so that one bad page can hide all below it. Here each
page is read on its own, in the published format, and the worst that data can do is to be skipped.
The committed frames of a write-ahead log and the pages of a rollback journal are used.
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

Value = None | int | float | str | bytes

_MAGIC: Final = b"SQLite format 3\0"
_WAL_MAGIC: Final = (0x377F0682, 0x377F0683)
_JOURNAL_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")
_PAGE_SIZE: Final = 4096
"""SQLite's default, for a file whose header cannot be read."""
_FILE_HEADER: Final = 100
_LEAF_TABLE, _LEAF_INDEX, _INNER_INDEX = 0x0D, 0x0A, 0x02
_INTEGER_SIZES: Final = (0, 1, 2, 3, 4, 6, 8)
_REAL, _ZERO, _ONE, _BLOB = 7, 8, 9, 12


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the file; a column that is an alias of the row number is None."""

    number: int | None
    """None for an entry of an index, or of a table without row numbers."""
    values: tuple[Value, ...]
    pages: tuple[int, ...]
    """The pages that hold it."""


class Unreadable(Exception):
    """A page, cell or record that violates the format; it is left out."""


class PagedFile:
    """The pages of a database file, which may be missing, with those of its log or journal."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes() if path.is_file() else b""
        self.size = _page_size(data)
        count = -(-len(data) // self.size)
        self._data = data
        self._changed, last = _from_log(path.with_name(f"{path.name}-wal"), self.size)
        if not self._changed:
            self._changed, last = _from_journal(path.with_name(f"{path.name}-journal"), self.size)
        self.count = last or max((count, *self._changed))

    def page(self, number: int) -> bytes:
        """Read a page, counted from 1; raises Unreadable."""
        if not 1 <= number <= self.count:
            raise Unreadable
        changed = self._changed.get(number)
        if changed is not None:
            return changed
        page = self._data[(number - 1) * self.size : number * self.size]
        if len(page) < self.size:
            raise Unreadable
        return page

    def rows(self) -> Iterator[Row]:
        """Read every readable row."""
        for number in range(1, self.count + 1):
            try:
                page = self.page(number)
                cells = _cells(page, _FILE_HEADER if number == 1 else 0)
            except Unreadable:
                continue
            for kind, at in cells:
                try:
                    yield self._row(page, number, kind, at)
                except (Unreadable, IndexError, struct.error, UnicodeDecodeError):
                    continue

    def _row(self, page: bytes, number: int, kind: int, at: int) -> Row:
        at += 4 if kind == _INNER_INDEX else 0
        length, at = _varint(page, at)
        row = None
        if kind == _LEAF_TABLE:
            row, at = _varint(page, at)
        local = self._local(length, kind)
        if length < 0 or at + local > self.size or length > self.count * self.size:
            raise Unreadable
        payload, pages = page[at : at + local], [number]
        if local < length:
            follow = struct.unpack_from(">I", page, at + local)[0]
            payload += self._overflow(follow, length - local, pages)
        return Row(row, _record(payload), tuple(pages))

    def _local(self, length: int, kind: int) -> int:
        """Compute how many bytes of a row are on its own page."""
        most = self.size - 35 if kind == _LEAF_TABLE else (self.size - 12) * 64 // 255 - 23
        if length <= most:
            return length
        least = (self.size - 12) * 32 // 255 - 23
        wanted = least + (length - least) % (self.size - 4)
        return wanted if wanted <= most else least

    def _overflow(self, number: int, length: int, pages: list[int]) -> bytes:
        pieces: list[bytes] = []
        while length > 0:
            page = self.page(number)
            pages.append(number)
            pieces.append(page[4 : 4 + length])
            length -= len(pieces[-1])
            number = struct.unpack_from(">I", page)[0]
        if number != 0:
            raise Unreadable
        return b"".join(pieces)


def _page_size(data: bytes) -> int:
    if data[:16] != _MAGIC:
        return _PAGE_SIZE
    said = int.from_bytes(data[16:18], "big")
    size = 65_536 if said == 1 else said
    return size if size >= 512 and size & (size - 1) == 0 else _PAGE_SIZE


def _cells(page: bytes, start: int) -> Sequence[tuple[int, int]]:
    """List the kind and offset of each row of a page; empty for other kinds of pages."""
    kind = page[start]
    if kind not in (_LEAF_TABLE, _LEAF_INDEX, _INNER_INDEX):
        return ()
    count = struct.unpack_from(">H", page, start + 3)[0]
    first = start + (12 if kind == _INNER_INDEX else 8)
    if first + 2 * count > len(page):
        raise Unreadable
    places = struct.unpack_from(f">{count}H", page, first)
    return [(kind, at) for at in places if first + 2 * count <= at < len(page)]


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for _ in range(8):
        byte = data[at]
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    value = value << 8 | data[at]
    return value - (1 << 64 if value >= 1 << 63 else 0), at + 1


def _record(payload: bytes) -> tuple[Value, ...]:
    end, at = _varint(payload, 0)
    kinds: list[int] = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    if at != end or sum(map(_size, kinds)) != len(payload) - end:
        raise Unreadable
    values: list[Value] = []
    for kind in kinds:
        values.append(_value(kind, payload[at : at + _size(kind)]))
        at += _size(kind)
    return tuple(values)


def _size(kind: int) -> int:
    if kind >= _BLOB:
        return (kind - _BLOB) // 2
    if kind < 0 or kind > _ONE:
        raise Unreadable
    return 8 if kind == _REAL else 0 if kind >= _ZERO else _INTEGER_SIZES[kind]


def _value(kind: int, data: bytes) -> Value:
    if kind == 0:
        return None
    if kind in (_ZERO, _ONE):
        return kind - _ZERO
    if kind == _REAL:
        return float(struct.unpack(">d", data)[0])
    if kind < _REAL:
        return int.from_bytes(data, "big", signed=True)
    return data.decode() if kind % 2 else data


def _from_log(path: Path, size: int) -> tuple[dict[int, bytes], int | None]:
    """Read the committed pages of a write-ahead log, and the number of pages after them."""
    data = path.read_bytes() if path.is_file() else b""
    if len(data) < 32 or struct.unpack_from(">I", data)[0] not in _WAL_MAGIC:
        return {}, None
    order = ">" if data[3] & 1 else "<"
    sums = _sums(data[:24], order, (0, 0))
    if sums != struct.unpack_from(">II", data, 24) or data[8:12] != size.to_bytes(4, "big"):
        return {}, None
    committed: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    last = None
    for at in range(32, len(data) - 24 - size + 1, 24 + size):
        number, pages = struct.unpack_from(">II", data, at)
        sums = _sums(data[at : at + 8], order, sums)
        sums = _sums(data[at + 24 : at + 24 + size], order, sums)
        if data[at + 8 : at + 16] != data[16:24] or sums != struct.unpack_from(
            ">II", data, at + 16
        ):
            break
        pending[number] = data[at + 24 : at + 24 + size]
        if pages:
            committed |= pending
            pending, last = {}, pages
    return committed, last


def _sums(data: bytes, order: str, start: tuple[int, int]) -> tuple[int, int]:
    first, second = start
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second


def _from_journal(path: Path, size: int) -> tuple[dict[int, bytes], int | None]:
    """Read the pages from before a transaction that a crash ended, and their number."""
    data = path.read_bytes() if path.is_file() else b""
    before: dict[int, bytes] = {}
    last, at = None, 0
    while data[at : at + 8] == _JOURNAL_MAGIC and len(data) >= at + 28:
        records, nonce, pages, sector, found = struct.unpack_from(">5I", data, at + 8)
        if found not in (0, size) or sector < 28:
            break
        last = pages if last is None else last
        at += sector
        for _ in range(min(records, (len(data) - at) // (size + 8))):
            number = struct.unpack_from(">I", data, at)[0]
            page = data[at + 4 : at + 4 + size]
            if _journal_sum(page, nonce) != struct.unpack_from(">I", data, at + 4 + size)[0]:
                return before, last
            before.setdefault(number, page)
            at += size + 8
        at = -(-at // sector) * sector
    return before, last


def _journal_sum(page: bytes, nonce: int) -> int:
    return (nonce + sum(page[len(page) - 200 : 0 : -200])) & 0xFFFFFFFF
