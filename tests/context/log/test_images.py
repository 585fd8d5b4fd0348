"""Which images a model accepts, and how they stand in a log."""

import pytest

from plimsoll.context.log.images import image_bytes, image_text, image_type


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\nrest", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF87a.", "image/gif"),
        (b"GIF89a.", "image/gif"),
        (b"RIFF1234WEBPVP8 ", "image/webp"),
        (b"RIFF1234WAVEfmt ", None),
        (b"1234RIFFWEBP", None),
        (b"GIF88a", None),
        (b"\x89PNG", None),
        (b"<svg>", None),
        (b"", None),
    ],
)
def test_an_image_is_known_by_its_first_bytes(data, kind):
    assert image_type(data) == kind


@pytest.mark.parametrize("data", [b"", b"GIF89a", bytes(range(256))])
def test_an_image_is_text_in_a_log(data):
    assert image_bytes(image_text(data)) == data


@pytest.mark.parametrize("text", ["R0lG!", "R0l", "R0lG ODlh", "ü"])
def test_what_is_no_base64_is_no_image(text):
    assert image_bytes(text) is None
