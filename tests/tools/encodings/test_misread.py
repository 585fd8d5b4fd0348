"""A text that an editor has read in a wrong encoding."""

import codecs

import pytest

from plimsoll.tools.encodings.misread import is_misreading

LATIN = "Ärger über Öl\r\nLIMIT = 5\n".encode("latin-1")
SEEN = LATIN.decode("utf-8", "replace")


@pytest.mark.parametrize(
    "text",
    [
        SEEN,
        SEEN.replace("\r\n", "\n"),
        SEEN.replace("\r\n", "\n").replace("\n", "\r\n"),
        "\ufeff" + SEEN,
    ],
    ids=["as it is", "line feeds", "carriage returns", "a mark"],
)
def test_what_the_bytes_look_like_as_utf_8(text: str) -> None:
    assert is_misreading(text, LATIN)


def test_how_many_signs_stand_for_one_character_is_not_sure() -> None:
    data = "日本語\n".encode("shift_jis")
    assert is_misreading("\ufffd{\ufffd\n", b"\x93\xfa{\x96\n")
    assert is_misreading(data.decode("utf-8", "replace").replace("\ufffd", "\ufffd" * 2), data)


@pytest.mark.parametrize(
    ("text", "data"),
    [
        (SEEN + "typed\n", LATIN),
        (LATIN.decode("latin-1"), LATIN),
        ("the sign \ufffd itself\n", "the sign \ufffd itself\n".encode()),
        ("the sign \ufffd itself\n", codecs.BOM_UTF8 + "the sign \ufffd itself\n".encode()),
        ("plain\n", b"plain\n"),
    ],
    ids=["typed in", "the right encoding", "written so", "written so with a mark", "ASCII"],
)
def test_what_is_no_misreading(text: str, data: bytes) -> None:
    assert not is_misreading(text, data)
