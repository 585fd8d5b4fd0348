"""PDF documents as text; the library ``pypdf``, an extra of the package, reads them in a child."""

from plimsoll.errors import ToolFailed
from plimsoll.text.wording import how_to_install
from plimsoll.tools.display import visible_line
from plimsoll.tools.documents.child import ChildReading, are_installed, read_in_child
from plimsoll.tools.process.confinement.confining import Confining

LIBRARIES = ("pypdf",)
READING = ChildReading(
    reader="pdf",
    libraries=LIBRARIES,
    # A sound document of 200 pages takes a few seconds.
    seconds=30.0,
    cpu=20,
    options={"pages": 200},
)


def pdf_text(
    name: str, data: bytes, confining: Confining | None = None, reading: ChildReading = READING
) -> str:
    """Read the text of a PDF document; blocks until it is read or its time is over.

    ``confining``: the sandbox of the child process; None: only its resources are bounded.

    Raises:
        ToolFailed: It cannot be read, holds no text, or the library is not installed.
    """
    if not are_installed(LIBRARIES):
        raise ToolFailed(
            f"{visible_line(name)} is a PDF document. To read those, the user installs an extra: "
            f"{how_to_install('documents')}."
        )
    text = read_in_child(name, data, reading, confining)
    if not text.strip():
        raise ToolFailed(
            f"{visible_line(name)} is a PDF document without text: its pages are pictures."
        )
    return text
