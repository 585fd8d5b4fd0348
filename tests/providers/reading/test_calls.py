"""Calls that hosts give in pieces, under one index or one id, and arguments that models double."""

import pytest

from plimsoll.providers.base import CallFinished
from plimsoll.providers.reading.calls import CallAssembly, Fragment, repair_arguments
from providers.support import request

A, B, C = '{"path":"a"}', '{"path":"b"}', '{"path":"c"}'


def assembled(*fragments: Fragment) -> list[CallFinished]:
    calls = CallAssembly(request())
    for fragment in fragments:
        list(calls.add(fragment))
    return [*calls.finish()]


def piece(arguments: str = "", index: int | None = 0, given: str = "", name: str = "") -> Fragment:
    return Fragment(index=index, id=given, name=name, arguments=arguments)


@pytest.mark.parametrize("ids", [("", "", ""), ("call_0",) * 3, ("a", "b", "c")])
@pytest.mark.parametrize("indices", [(0, 0, 0), (None, None, None), (0, 1, 2)])
def test_whole_calls_are_told_apart(ids: tuple[str, ...], indices: tuple[int | None, ...]):
    made = assembled(
        *(
            piece(arguments, index, given, "file_read")
            for arguments, index, given in zip((A, B, C), indices, ids, strict=True)
        )
    )
    assert [call.arguments for call in made] == [A, B, C]
    assert len({call.id for call in made}) == 3


@pytest.mark.parametrize(
    ("fragments", "arguments"),
    [
        ([piece(A[:5], 0, "a", "f"), piece(A[5:], 0), piece(B, 1, "b", "f")], [A, B]),
        ([piece("", 0, "a", "f"), piece(A[:5], 0, "a", "f"), piece(A[5:], 0, "a", "f")], [A]),
        ([piece(A[:5], 0, "a", "f"), piece(A[5:], 0, "b")], [A]),
        ([piece(A[:5], 0, "a", "f"), piece(A[5:], 1)], [A]),
        ([piece(A[:5], 0, "a", "f"), piece(A[5:], 1, "a")], [A]),
        ([piece(A, 0, "a", "f"), piece(A, 0, "a", "f")], [A]),
        ([piece(A, 0, "a", "f"), piece(B, 0, "a", "g")], [A, B]),
    ],
    ids=[
        "in pieces",
        "a name with each piece",
        "an id with each piece",
        "an index with each piece",
        "an index with each piece of one id",
        "a call twice",
        "equal ids of two tools",
    ],
)
def test_pieces_are_joined(fragments: list[Fragment], arguments: list[str]):
    made = assembled(*fragments)
    assert [call.arguments for call in made] == arguments
    assert len({call.id for call in made}) == len(arguments)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (f"```json\n{A}\n```", A),
        (f"```\n{A}```", A),
        (f"{A}{A}", A),
        (f"{A}\n{A}", A),
        ("{}" + A, A),
        (A + "{}", A),
        ('"{\\"path\\":\\"a\\"}"', A),
        (f"[{A}]", A),
        ("null", "{}"),
    ],
)
def test_what_is_certain_is_mended(written: str, meant: str):
    assert repair_arguments(written) == meant


@pytest.mark.parametrize(
    "written", [A, "", "{ }", f"{A}{B}", '{"path":"a', "{'path': 'a'}", "[1]", f"[{A},{B}]", "text"]
)
def test_what_is_not_stays_as_it_is_for_the_model(written: str):
    assert repair_arguments(written) == written
