"""What `plimsoll replay` takes: a file of a few bytes can unpack to any size."""

import gzip
import json

import pytest

from plimsoll.errors import InvalidInput, LogInvalid
from plimsoll.terminal.commands.recorded.replay import read_recording


def test_a_file_that_unpacks_without_end_is_refused(tmp_path):
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"0" * 1_000_000) * 2_600)
    assert path.stat().st_size < 3_000_000
    with pytest.raises(InvalidInput, match="more than 256,000,000 bytes unpacked"):
        read_recording(path)


def test_a_packed_recording_is_read(tmp_path):
    path = tmp_path / "small.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"role": "user", "content": "hello"}\n'))
    assert read_recording(path)


@pytest.mark.parametrize("shape", ["[%s]", '{"model": "m", "messages": [%s]}'])
@pytest.mark.parametrize("indent", [None, 2])
def test_messages_in_one_list_are_read_as_those_of_a_line_each(tmp_path, shape, indent):
    said = [{"role": "user", "content": "Go."}, {"role": "assistant", "content": "Gone."}]
    apart, listed = tmp_path / "apart.jsonl", tmp_path / "listed.json"
    apart.write_text("\n".join(map(json.dumps, said)))
    whole = json.loads(shape % ",".join(map(json.dumps, said)))
    listed.write_text(json.dumps(whole, indent=indent))
    assert read_recording(listed) == read_recording(apart)


def test_a_list_that_holds_something_else_is_refused_by_the_place_of_it(tmp_path):
    path = tmp_path / "listed.json"
    path.write_text('[{"role": "user", "content": "Go."}, {"role": "captain", "content": "x"}]')
    with pytest.raises(LogInvalid, match=r"listed\.json, message 2, is not a message: role"):
        read_recording(path)
