"""Draws the mark as media/plimsoll.woff (status bar) and media/icon.png (marketplace).

Run once after a change: `uv run --no-project --with fonttools python scripts/icons.py`.
"""

import math
import struct
import zlib
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

MEDIA = Path(__file__).parent.parent / "media"
EM = 1000
RADIUS, STROKE, CENTRE = 330, 84, 420
CODE_POINT = 0xE001


def circle(pen: TTGlyphPen, radius: float, *, clockwise: bool) -> None:
    """Eight quadratic arcs; the direction decides whether it fills or cuts."""
    arcs, step = 8, math.tau / 8
    control = radius / math.cos(step / 2)
    sign = -1 if clockwise else 1

    def at(angle: float, reach: float) -> tuple[int, int]:
        return (
            round(EM / 2 + reach * math.cos(sign * angle)),
            round(CENTRE + reach * math.sin(sign * angle)),
        )

    pen.moveTo(at(0, radius))
    for arc in range(arcs):
        pen.qCurveTo(at((arc + 0.5) * step, control), at((arc + 1) * step, radius))
    pen.closePath()


def bar(pen: TTGlyphPen) -> None:
    low, high = CENTRE - STROKE // 2, CENTRE + STROKE // 2
    pen.moveTo((0, low))
    for point in ((0, high), (EM, high), (EM, low)):
        pen.lineTo(point)
    pen.closePath()


def font() -> None:
    pen = TTGlyphPen(None)
    circle(pen, RADIUS + STROKE / 2, clockwise=True)
    circle(pen, RADIUS - STROKE / 2, clockwise=False)
    bar(pen)
    empty = TTGlyphPen(None).glyph()
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder([".notdef", "mark"])
    builder.setupCharacterMap({CODE_POINT: "mark"})
    builder.setupGlyf({".notdef": empty, "mark": pen.glyph()})
    builder.setupHorizontalMetrics({".notdef": (EM, 0), "mark": (EM, 0)})
    builder.setupHorizontalHeader(ascent=850, descent=-150)
    builder.setupNameTable({"familyName": "plimsoll", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=850, sTypoDescender=-150, usWinAscent=850, usWinDescent=150)
    builder.setupPost()
    builder.updateHead(created=0, modified=0)
    builder.font.flavor = "woff"
    builder.font.recalcTimestamp = False
    builder.font.save(MEDIA / "plimsoll.woff")


def coverage(x: float, y: float, size: int) -> float:
    """How much of a pixel the mark covers, 0 to 1."""
    centre, radius, half = size / 2, size * 0.27, size * 0.036
    ring = abs(math.hypot(x - centre, y - centre) - radius) - half
    line = max(abs(y - centre) - half, abs(x - centre) - size * 0.42)
    return min(1.0, max(0.0, 0.5 - min(ring, line)))


def icon(size: int = 256) -> None:
    ground, ink = (0x18, 0x18, 0x18), (0xF5, 0xF5, 0xF5)
    rows = bytearray()
    for y in range(size):
        rows.append(0)
        for x in range(size):
            share = coverage(x + 0.5, y + 0.5, size)
            rows += bytes(round(g + (i - g) * share) for g, i in zip(ground, ink, strict=True))

    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), 9))
    (MEDIA / "icon.png").write_bytes(b"\x89PNG\r\n\x1a\n" + body + chunk(b"IEND", b""))


if __name__ == "__main__":
    font()
    icon()
