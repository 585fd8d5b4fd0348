"""Documents for the tests: small ones that are sound, and some that are not."""

import json
import zlib
from collections.abc import Sequence

PAGE = (
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources "
    "<< /Font << /F1 3 0 R >> >> /Contents %d 0 R >>"
)
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


def pdf(pages: Sequence[str]) -> bytes:
    """A document with a line of text on each page."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(count))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for n, text in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET" if text else ""
        objects += [
            PAGE % (5 + 2 * n),
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        ]
    return built([each.encode() for each in objects])


def built(objects: Sequence[bytes]) -> bytes:
    """A document of these objects, with its table."""
    out, places = b"%PDF-1.4\n", list[int]()
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    return out + head + rows + end % (len(objects) + 1, len(out))


def bomb(megabytes: int) -> bytes:
    """A document whose one page unpacks to so much."""
    squeezer = zlib.compressobj(9)
    block = b"(aaaaaaaaaaaaaaaa) Tj " * 50_000
    parts = [squeezer.compress(b"BT /F1 12 Tf ")]
    parts += [squeezer.compress(block) for _ in range(megabytes)]
    packed = b"".join([*parts, squeezer.compress(b"ET"), squeezer.flush()])
    body = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(packed), packed)
    return built(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            (PAGE % 5).encode(),
            body,
        ]
    )


def endless() -> bytes:
    """A document whose pages are their own parents and children."""
    return built(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9999999 >>",
        ]
    )


def notebook(*cells: dict[str, object]) -> bytes:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()
