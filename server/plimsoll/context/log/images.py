"""Images in a conversation: the formats and sizes that models accept."""

import base64
import binascii

LARGEST_IMAGE = 3_750_000
"""Bytes; five million in base64, the lowest limit of the large vendors."""
MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


def image_type(data: bytes) -> str | None:
    """Return the MIME type of an image by its first bytes; None if no model accepts it."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for magic, kind in MAGIC if data.startswith(magic)), None)


def image_bytes(text: str) -> bytes | None:
    """Decode the base64 of an image; None if it is not valid."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def image_text(data: bytes) -> str:
    """Encode an image in base64."""
    return base64.b64encode(data).decode("ascii")
