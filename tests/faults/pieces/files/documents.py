"""PDF documents that mean harm, read as the product reads them: each ends in a text or in words."""

import random
import resource
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from faults.piece import Piece, Run, fail
from plimsoll.errors import ToolFailed
from plimsoll.tools.documents.pdf import READING, pdf_text
from plimsoll.tools.process.confinement.base import Access
from plimsoll.tools.process.confinement.confining import Confining, Probing
from plimsoll.tools.process.confinement.probe import probe
from tools.documents.samples import PAGE, bomb, built, endless, pdf

BOUNDED = replace(READING, cpu=4, memory=400_000_000)
MOST_WORK = 2 * BOUNDED.cpu
"""Seconds of a processor for one: the child has half of it, the rest is to start it."""
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
PAGES = b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>"


def packed(data: bytes, more: bytes = b"", times: int = 1) -> bytes:
    for _ in range(times):
        data = zlib.compress(data, 9)
    filters = b"/FlateDecode " * times
    head = b"<< /Length %d /Filter [%b] %b >>" % (len(data), filters, more)
    return head + b"\nstream\n" + data + b"\nendstream"


def page(content: bytes, *more: bytes, font: bytes = FONT) -> bytes:
    """A document of one page, with further objects behind it."""
    return built([CATALOG, PAGES, font, (PAGE % 5).encode(), content, *more])


def plain(content: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content)


def text(content: str) -> bytes:
    return page(plain(f"BT /F1 12 Tf {content} ET".encode()))


def tree(*nodes: bytes) -> bytes:
    return built([CATALOG, *nodes])


def catalog(more: bytes) -> bytes:
    sound = pdf(["Ships."])
    return sound.replace(b"/Type /Catalog", b"/Type /Catalog " + more, 1)


def table(rows: bytes) -> bytes:
    """A sound document with another table of its objects."""
    sound = pdf(["Ships."])
    return sound[: sound.rindex(b"xref\n0")] + rows


def image(width: int, height: int) -> bytes:
    size = b"/Width %d /Height %d" % (width, height)
    given = b"<< /Type /XObject /Subtype /Image " + size + b" /Length 1 >>\nstream\nx\nendstream"
    return page(plain(b"/I Do"), given)


def encrypted(values: bytes) -> bytes:
    return pdf(["Ships."]).replace(b"/Root 1 0 R", b"/Root 1 0 R /Encrypt << %b >>" % values)


def nested(opening: bytes, closing: bytes, count: int) -> bytes:
    return catalog(b"/X " + opening * count + closing * count)


def object_stream(count: int, first: int, body: bytes) -> bytes:
    more = b"/Type /ObjStm /N %d /First %d" % (count, first)
    return built([CATALOG, PAGES, FONT, packed(body, more), b"<< >>"])


def mapped(body: bytes) -> bytes:
    font = FONT.replace(b">>", b"/ToUnicode 6 0 R >>")
    return page(plain(b"BT /F1 12 Tf (ab) Tj ET"), packed(body), font=font)


_OPEN = b"/OpenAction << /S /JavaScript /JS (app.launchURL('http://127.0.0.1:9')) >>"
HOSTILE: dict[str, Callable[[], bytes]] = {
    "a page that unpacks to 500 MB": lambda: bomb(500),
    "pages that are their own parents": endless,
    "a billion pages": lambda: tree(b"<< /Type /Pages /Kids [] /Count 1000000000 >>"),
    "less than no pages": lambda: tree(b"<< /Type /Pages /Kids [] /Count -1 >>"),
    "a page twenty thousand times": lambda: built(
        [CATALOG, b"<< /Type /Pages /Kids [%b] /Count 1 >>" % (b"4 0 R " * 20_000), FONT, b"<< >>"]
    ),
    "two that hold each other": lambda: tree(
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>"
    ),
    "a deep tree": lambda: tree(
        *(b"<< /Type /Pages /Kids [%d 0 R] /Count 1 >>" % (n + 3) for n in range(5_000))
    ),
    "a tree that doubles": lambda: tree(
        *(b"<< /Type /Pages /Kids [%d 0 R %d 0 R] /Count 2 >>" % (n + 3, n + 3) for n in range(60))
    ),
    "a catalog that is its pages": lambda: built([b"<< /Type /Catalog /Pages 1 0 R >>"]),
    "no catalog": lambda: built([b"null"]),
    "a table that names itself": lambda: table(
        b"xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 9 /Root 1 0 R /Prev 300 >>\n"
        b"startxref\n300\n%%EOF\n"
    ),
    "a table before the beginning": lambda: table(b"startxref\n-5\n%%EOF\n"),
    "a table behind the end": lambda: table(b"startxref\n99999999999999999999\n%%EOF\n"),
    "a table of a billion rows": lambda: table(
        b"xref\n0 1000000000\n0000000000 65535 f \ntrailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF"
    ),
    "a thousand tables": lambda: pdf(["Ships."]) + b"startxref\n15\n%%EOF\n" * 1_000,
    "a size of a billion": lambda: pdf(["x"]).replace(b"/Size 6", b"/Size 1000000000"),
    "many signs of an end": lambda: b"%PDF-1.4\n" + b"startxref\n" * 200_000,
    "many objects that do not end": lambda: b"%PDF-1.4\n" + b"1 0 obj\n<<\n" * 100_000,
    "only openings": lambda: b"%PDF-1.4\n" + b"<<" * 500_000,
    "an object of a billion": lambda: pdf(["x"]).replace(b"/Pages 2 0 R", b"/Pages 999999999 0 R"),
    "a stream without its end": lambda: page(b"<< /Length 999999999 >>\nstream\nBT"),
    "a length that is itself": lambda: page(b"<< /Length 5 0 R >>\nstream\nBT ET\nendstream"),
    "a length below nothing": lambda: page(b"<< /Length -9 >>\nstream\nBT ET\nendstream"),
    "packed ten times": lambda: page(packed(b"BT ET", times=10)),
    "packed 300 MB of zeros twice": lambda: page(packed(bytes(300_000_000), times=2)),
    "a filter a thousand times": lambda: page(
        b"<< /Length 1 /Filter [%b] >>\nstream\nx\nendstream" % (b"/ASCIIHexDecode " * 1_000)
    ),
    "a filter nobody has": lambda: page(b"<< /Length 1 /Filter /Rm >>\nstream\nx\nendstream"),
    "columns of a billion": lambda: page(
        packed(b"x" * 999, b"/DecodeParms << /Predictor 12 /Columns 1000000000 >>")
    ),
    "LZW without sense": lambda: page(
        b"<< /Length 9999 /Filter /LZWDecode >>\nstream\n"
        + b"\x80\x0b\x60" * 3_333
        + b"\nendstream"
    ),
    "runs of one": lambda: page(
        b"<< /Length 400000 /Filter /RunLengthDecode >>\nstream\n"
        + b"\x81a" * 200_000
        + b"\nendstream"
    ),
    "a picture of 10^18 points": lambda: image(10**9, 10**9),
    "a picture below nothing": lambda: image(-1, -1),
    "a form that draws itself": lambda: page(
        plain(b"/I Do"), b"<< /Type /XObject /Subtype /Form /Length 5 >>\nstream\n/I Do\nendstream"
    ),
    "locked": lambda: encrypted(b"/Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O (x) /U (y)"),
    "locked with a billion rounds": lambda: encrypted(
        b"/Filter /Standard /V 5 /R 6 /Length 999999999 /P -4 /O (x) /U (y)"
    ),
    "locked by nobody": lambda: encrypted(b"/Filter /Rm /V 99"),
    "a script as it opens": lambda: catalog(_OPEN),
    "a program as it opens": lambda: catalog(b"/OpenAction << /S /Launch /F (/bin/sh) >>"),
    "an address as it opens": lambda: catalog(b"/OpenAction << /S /URI /URI (file:///etc) >>"),
    "a file in it": lambda: catalog(b"/Names << /EmbeddedFiles << /Names [(../../x) 3 0 R] >> >>"),
    "deep lists": lambda: nested(b"[", b"]", 100_000),
    "deep dictionaries": lambda: nested(b"<< /A ", b" >>", 50_000),
    "deep texts": lambda: nested(b"(", b")", 200_000),
    "a long name": lambda: catalog(b"/" + b"A" * 3_000_000 + b" 1"),
    "a long number": lambda: catalog(b"/X " + b"9" * 1_000_000),
    "objects in a stream of a billion": lambda: object_stream(10**9, 10, b"1 0 <<>>"),
    "objects in a stream from nowhere": lambda: object_stream(2, 10**9, b"1 0 2 5 <<>> <<>>"),
    "a map of all characters": lambda: mapped(
        b"begincmap\n1 beginbfrange\n<0000> <FFFFFFFF> <0000>\nendbfrange\nendcmap"
    ),
    "a map to a long text": lambda: mapped(
        b"begincmap\n1 beginbfchar\n<61> <" + b"0061" * 500_000 + b">\nendbfchar\nendcmap"
    ),
    "texts without end": lambda: text("(a) Tj " * 400_000),
    "states without end": lambda: text("q " * 500_000),
    "numbers without end": lambda: text("1 " * 1_000_000 + "Td (x) Tj"),
    "signs that act": lambda: text("(\\033[2J\\007\\000) Tj"),
    "noise": lambda: b"%PDF-1.7\n" + bytes(range(256)) * 4_000,
    "no more than its name": lambda: b"%PDF-",
}


def run(found: Run) -> None:
    found.folder.mkdir(exist_ok=True)
    sandbox = Confining(Probing(lambda: probe({}, ())), lambda _network: access(found.folder))
    kinds = random.Random(found.seed).sample(list(HOSTILE), len(HOSTILE))
    for number, _ in found.each():
        kind = kinds[number % len(kinds)]
        with found.case(number):
            found.count(one(kind, HOSTILE[kind](), sandbox))
        found.count("hostile documents")
    found.notes.append(f"read in {sandbox.probing.result().confinement.rung}")


def access(folder: Path) -> Access:
    return Access(root=folder, home=folder, caches=folder / "caches")


def worked() -> float:
    """Seconds of a processor that the processes which have ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def one(kind: str, data: bytes, sandbox: Confining) -> str:
    begun = worked()
    try:
        read = pdf_text("a.pdf", data, sandbox, BOUNDED)
    except ToolFailed as error:
        if "Traceback" in error.message or len(error.message) > 300:
            fail(f"{kind}: {error.message[:300]}")
        return "refused in words"
    finally:
        if worked() - begun > MOST_WORK:
            fail(f"{kind}: its processes worked for {worked() - begun:.0f} s")
    if len(read) > BOUNDED.characters + 1_000:
        fail(f"{kind}: a text of {len(read)} characters")
    return "read as text"


PIECE = Piece(run=run, short=8, full=len(HOSTILE), needs=("linux",))
