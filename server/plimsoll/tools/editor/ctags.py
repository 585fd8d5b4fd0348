"""Symbols of files by Universal Ctags, which is handed their texts and opens no file.

It parses what a stranger may have written, so it runs in its own sandbox of system calls where it
has one, reads no configuration, and is killed when the search that it works for ends.
"""

import json
import shutil
import subprocess
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, cast

from plimsoll.tools.editor.knowledge import Symbol
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.search.halt import Halt

NAMES = ("ctags", "universal-ctags", "uctags")
_MODES = ("sandbox", "default")
_OPTIONS = ("--options=NONE", "--sort=no", "--fields={name}{input}{line}{end}{kind}{scope}")
_LONGEST_ROW = 100_000


class CtagsFailed(Exception):
    """The program is not Universal Ctags, or it ended too early."""


def usable_ctags(context: CallContext) -> str | None:
    """Find a ctags on the path, unless it lies in the workspace."""
    names = (shutil.which(name, path=context.environment.get("PATH", "")) for name in NAMES)
    found = next((Path(name) for name in names if name), None)
    if found is None or not found.is_absolute():
        return None
    inside = any(path.is_relative_to(context.root) for path in (found, found.resolve()))
    return None if inside else str(found)


def parse_symbols(
    program: str, texts: Iterable[tuple[Path, bytes]], context: CallContext, halt: Halt
) -> Iterator[tuple[Path, tuple[Symbol, ...]]]:
    """Yield the symbols of each text; the name of its path tells ctags the language.

    Raises:
        CtagsFailed: The program is not Universal Ctags, or has ended.
    """
    with _start_ctags(program, context, halt) as process:
        for path, text in texts:
            if halt:
                return
            yield path, tuple(_symbols(process, path, text))


@contextmanager
def _start_ctags(
    program: str, context: CallContext, halt: Halt
) -> Generator["subprocess.Popen[bytes]"]:
    """Start ctags in its strictest mode; kill it at the end, or when the search ends."""
    for mode in _MODES:
        process = _process(program, mode, context)
        with process, halt.ending(process.kill):
            try:
                if _row(process).get("_type") == "program":
                    yield process
                    return
            finally:
                process.kill()
                # What is left of a text is of no use to a program that is gone.
                with suppress(OSError):
                    _input(process).close()
    raise CtagsFailed("it is no Universal Ctags that takes texts")


def _process(program: str, mode: str, context: CallContext) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(
            [program, *_OPTIONS, f"--_interactive={mode}"],
            cwd="/",
            env=dict(context.environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise CtagsFailed(str(error)) from error


def _symbols(process: "subprocess.Popen[bytes]", path: Path, text: bytes) -> Iterator[Symbol]:
    asked = {"command": "generate-tags", "filename": path.name, "size": len(text)}
    try:
        _input(process).write(json.dumps(asked).encode() + b"\n" + text)
        _input(process).flush()
    except OSError as error:
        raise CtagsFailed(f"it ended at {path.name}") from error
    while True:
        row = _row(process)
        match row.get("_type"):
            case "tag":
                yield from _symbol(row, path)
            case "completed":
                return
            case "error":
                raise CtagsFailed(str(row.get("message")))
            case _:
                raise CtagsFailed(f"it ended at {path.name}")


def _symbol(row: Mapping[str, Any], path: Path) -> Iterator[Symbol]:
    name, line, end = row.get("name"), row.get("line"), row.get("end")
    if not isinstance(name, str) or not isinstance(line, int):
        return
    yield Symbol(
        name=name,
        kind=str(row.get("kind", "")),
        path=path,
        line=line,
        first=line,
        last=end if isinstance(end, int) and end >= line else None,
        container=tuple(filter(None, str(row.get("scope", "")).replace("::", ".").split("."))),
    )


def _row(process: "subprocess.Popen[bytes]") -> Mapping[str, Any]:
    """Read one JSON row that ctags wrote; empty at the end, and for any other line."""
    assert process.stdout is not None
    row = process.stdout.readline(_LONGEST_ROW)
    try:
        value: object = json.loads(row)
    except ValueError:
        return {}
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _input(process: "subprocess.Popen[bytes]") -> IO[bytes]:
    assert process.stdin is not None
    return process.stdin
