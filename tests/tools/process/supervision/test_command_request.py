import os
from collections.abc import Mapping, Sequence
from contextlib import closing

from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tools.process.supervision.command_request import CommandRequest, read_request

# As the system gives them: what is no UTF-8 comes as lone surrogates.
TEXTS = st.binary(max_size=20).map(lambda name: os.fsdecode(name.replace(b"\0", b"")))


def read(given: bytes) -> CommandRequest | None:
    """Read it from a pipe, whose end has come."""
    reading, writing = os.pipe()
    os.write(writing, given)
    os.close(writing)
    with closing(os.fdopen(reading, "rb", 0)) as pipe:
        return read_request(pipe.fileno())


@given(
    arguments=st.lists(TEXTS, max_size=5),
    environment=st.dictionaries(TEXTS, TEXTS, max_size=5),
    folder=TEXTS,
    rules=TEXTS,
)
def test_what_is_asked_for_arrives(
    arguments: Sequence[str], environment: Mapping[str, str], folder: str, rules: str
):
    request = CommandRequest(arguments, environment, folder, rules)
    assert read(request.encode()) == request


@given(length=st.integers(0, 80))
def test_a_part_of_it_is_nothing(length: int):
    encoded = CommandRequest(("/bin/true", "x" * 40), {"NAME": "value"}, "/", "").encode()
    assert length < len(encoded)
    assert read(encoded[:length]) is None
