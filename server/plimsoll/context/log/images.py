"""Images of a conversation: which kinds and sizes models take."""

import base64
import binascii

LARGEST_IMAGE = 3_750_000
"""Bytes; in base64 five million, the least of what the large vendors take."""
MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


def image_type(data: bytes) -> str | None:
    """Return the MIME type of an image, by how it begins; none where no model takes it."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for magic, kind in MAGIC if data.startswith(magic)), None)


def image_bytes(text: str) -> bytes | None:
    """Decode the base64 of an image; none where it is no base64."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def image_text(data: bytes) -> str:
    """Encode an image in base64."""
    return base64.b64encode(data).decode("ascii")
