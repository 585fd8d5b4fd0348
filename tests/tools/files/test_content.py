import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tools.files.content import (
    DecodedText,
    decode,
    encode,
    is_binary,
    size_text,
    type_guess,
)

TEXTS = {
    "empty": (b"", DecodedText("")),
    "utf-8": ("größe\n".encode(), DecodedText("größe\n")),
    "utf-8 with mark": (codecs.BOM_UTF8 + b"a", DecodedText("a", "utf-8", codecs.BOM_UTF8)),
    "utf-16 little": (
        codecs.BOM_UTF16_LE + "é\n".encode("utf-16-le"),
        DecodedText("é\n", "utf-16-le", codecs.BOM_UTF16_LE),
    ),
    "utf-16 big": (
        codecs.BOM_UTF16_BE + "é".encode("utf-16-be"),
        DecodedText("é", "utf-16-be", codecs.BOM_UTF16_BE),
    ),
    "latin-1": (b"gr\xf6\xdfe", DecodedText("größe", "latin-1")),
}


@pytest.mark.parametrize(("data", "text"), TEXTS.values(), ids=TEXTS.keys())
def test_text_and_back(data, text):
    assert decode(data) == text
    assert encode(text.text, text) == data


@pytest.mark.parametrize(
    "data",
    [b"a\0b", b"\x89PNG\r\n\x1a\n\0\0", bytes(range(1, 32)) * 3, codecs.BOM_UTF16_LE + b"a\0\0\0"],
)
def test_binary_is_no_text(data):
    assert decode(data) is None


@given(st.binary(max_size=200))
def test_what_is_decoded_can_be_written_back(data):
    text = decode(data)
    if text is not None:
        assert encode(text.text, text) == data


def test_binary_by_share_of_controls():
    assert not is_binary(b"a\tb\r\n\x1b[0m" * 50)
    assert is_binary(b"abc\x01" * 50)


def test_type_guess():
    assert type_guess(b"%PDF-1.7") == "a PDF document"
    assert type_guess(b"\0\0") == "of an unknown type"


def test_size_text():
    assert [size_text(n) for n in (999, 1500, 2_500_000, 3_200_000_000)] == [
        "999 bytes",
        "1.5 kB",
        "2.5 MB",
        "3.2 GB",
    ]
