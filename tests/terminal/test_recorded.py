"""What `plimsoll replay` takes: a file of a few bytes can unpack to any size."""

import gzip

import pytest

from plimsoll.errors import InvalidInput
from plimsoll.terminal.commands.replay import recorded


def test_a_file_that_unpacks_without_end_is_refused(tmp_path):
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"0" * 1_000_000) * 2_600)
    assert path.stat().st_size < 3_000_000
    with pytest.raises(InvalidInput, match="more than 256,000,000 bytes unpacked"):
        recorded(path)


def test_a_packed_recording_is_read(tmp_path):
    path = tmp_path / "small.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"role": "user", "content": "hello"}\n'))
    assert recorded(path)
