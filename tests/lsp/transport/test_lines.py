"""Messages as lines: any pieces give the same lines, and one that is too long is only told."""

from hypothesis import given
from hypothesis import strategies as st

from plimsoll.lsp.transport.framing import Oversized
from plimsoll.lsp.transport.lines import LineDecoder, with_line_feed

BODY = st.binary(min_size=1, max_size=40).filter(lambda b: b"\n" not in b and b.strip() != b"")


@given(st.lists(BODY, max_size=6), st.integers(1, 7))
def test_lines_come_out_as_they_went_in(bodies: list[bytes], size: int):
    stream = b"\n".join(map(with_line_feed, bodies))
    decoder = LineDecoder()
    pieces = (stream[at : at + size] for at in range(0, len(stream), size))
    assert [line for piece in pieces for line in decoder.feed(piece)] == bodies


def test_a_line_that_is_too_long_is_told_with_its_beginning_and_the_next_one_is_read():
    decoder = LineDecoder(limit=2_000)
    found = []
    for piece in (b'{"id":7,', b"x" * 900, b"x" * 9_000, b'x\n{"id":8}\n'):
        found += decoder.feed(piece)
    long, after = found
    assert isinstance(long, Oversized)
    assert (long.length, long.head[:8], len(long.head)) == (9_909, b'{"id":7,', 1_024)
    assert after == b'{"id":8}'
