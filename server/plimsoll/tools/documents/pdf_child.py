"""The process that reads a PDF document from its standard input and writes the text of its pages.

It is run as a file of its own, isolated; of Plimsoll it imports what confines it alone.
"""

import importlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any


def limit_resources(cpu: int, memory: int) -> None:
    """Limit the memory, time and files of this process; it may not write files at all."""
    import resource

    wanted = (
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    )
    for limit, most in wanted:
        _, hard = resource.getrlimit(limit)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(limit, (bound, bound))
        except (ValueError, OSError):
            # macOS has no bound of the address space; the time still bounds the work.
            continue


def confine(rules: dict[str, Any]) -> None:
    """Apply the rules of a sandbox to this process; raises OSError where one cannot be."""
    above = ("plimsoll", "plimsoll.tools", "plimsoll.tools.process")
    # Stood in for by empty ones: the packages above load what is not here.
    for name, folder in zip(above, reversed(Path(__file__).resolve().parents[1:4]), strict=True):
        package = ModuleType(name)
        package.__path__ = [str(folder if name != above[-1] else folder / "process")]
        sys.modules[name] = package
    from plimsoll.tools.process.confinement.kernel import enforcement

    enforcement.apply(rules)


def pages(data: bytes, most: int) -> Iterator[str]:
    """Yield the text of each page behind its number; a last line says which pages were not read."""
    from pypdf import PdfReader

    reader: Any = PdfReader(io.BytesIO(data), strict=False)
    total = len(reader.pages)
    for number in range(min(total, most)):
        text: str = reader.pages[number].extract_text()
        yield f"[page {number + 1} of {total}]\n{text.strip()}\n\n" if text.strip() else ""
    if total > most:
        yield f"[pages {most + 1}-{total} were not read]\n"


def main() -> None:
    """Read a PDF from standard input, and write its text up to the allowed length."""
    rules: dict[str, Any] = json.loads(sys.argv[1])
    sys.path[:] = rules["path"]
    # Before it is confined: what it needs lies open now.
    importlib.import_module("pypdf")
    if rules["confined"]:
        confine(rules["confined"])
    limit_resources(rules["cpu"], rules["memory"])
    sys.stdout.buffer.write(b"\0begun\n")
    sys.stdout.buffer.flush()
    data = sys.stdin.buffer.read()
    left: int = rules["characters"]
    for text in pages(data, rules["pages"]):
        sys.stdout.buffer.write(text[:left].encode("utf-8", "replace"))
        left -= len(text)
        if left <= 0:
            sys.stdout.buffer.write(b"\n[the rest was not read: the text is too long]\n")
            return


if __name__ == "__main__":
    main()
