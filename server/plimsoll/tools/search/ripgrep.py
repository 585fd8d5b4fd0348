"""Finds lines of files that match an expression, by ripgrep.

It is given the very files to look at, so both engines see the same ones, and it never runs a
configuration, a pre-processor or a decompressor of the workspace.
"""

import base64
import json
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from plimsoll.tools.base import CallContext
from plimsoll.tools.search.halt import Halt
from plimsoll.tools.search.python_search import (
    Findings,
    FirstMatches,
    LineMatch,
    grouped,
    shortened,
)

# Well below the 128 KiB that the smallest limits of today leave for a command line.
_COMMAND_BYTES = 100_000
_LONGEST_MESSAGE = 50_000_000
_OPTIONS = (
    "--no-config",
    "--json",
    "--crlf",
    "--no-ignore",
    "--hidden",
    "--no-follow",
    # A mapped file is looked at for a NUL in its beginning alone.
    "--no-mmap",
    "--threads=1",
    "--sort=none",
)


class UnsuitableError(Exception):
    """Ripgrep cannot be run or cannot read the expression; the other engine may."""


@dataclass(frozen=True, slots=True)
class Ripgrep:
    """Searches files by a ripgrep program."""

    program: str
    pattern: str
    ignore_case: bool
    context: CallContext

    def search(self, paths: Sequence[Path], findings: Findings, halt: Halt) -> None:
        """Search files on disk; binary ones are passed over.

        Raises:
            UnsuitableError: It failed as a whole.
        """
        fitting = [path for path in paths if not _is_too_large(path, findings)]
        for group in grouped(fitting, _COMMAND_BYTES):
            if halt:
                findings.whole = False
                return
            with tempfile.TemporaryFile() as errors:
                self._search_group(group, findings, halt, errors.fileno())
                errors.seek(0)
                told = errors.read().decode("utf-8", "replace")
                findings.unreadable.extend(told.replace("rg: ", "").splitlines())

    def _search_group(
        self, paths: Sequence[Path], findings: Findings, halt: Halt, errors: int
    ) -> None:
        try:
            process = subprocess.Popen(
                self._command(paths),
                cwd=self.context.root,
                env=dict(self.context.environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        except OSError as error:
            raise UnsuitableError(str(error)) from error
        with process, halt.ending(process.kill):
            assert process.stdout is not None
            complete = _take(process.stdout, findings, halt)
            process.kill()
        if halt:
            findings.whole = False
        elif not complete:
            raise UnsuitableError(f"it ended with {process.returncode}")

    def _command(self, paths: Sequence[Path]) -> list[str]:
        case = "--ignore-case" if self.ignore_case else "--case-sensitive"
        return [self.program, *_OPTIONS, case, f"--regexp={self.pattern}", "--", *map(str, paths)]


def usable_program(context: CallContext) -> str | None:
    """Return the ripgrep to use, unless it lies in the workspace."""
    if context.ripgrep is None:
        return None
    program = Path(context.ripgrep)
    inside = any(path.is_relative_to(context.root) for path in (program, program.resolve()))
    return str(program) if program.is_absolute() and not inside else None


def _is_too_large(path: Path, findings: Findings) -> bool:
    try:
        large = path.lstat().st_size > findings.largest
    except OSError:
        return False
    if large:
        findings.too_large.append(path)
    return large


def _take(output: IO[bytes], findings: Findings, halt: Halt) -> bool:
    """Add the matches of whole files; false if the last message, a summary, never came."""
    held = FirstMatches()
    # A longer message holds a line that no one could look at; the other engine cuts it.
    for row in iter(lambda: output.readline(_LONGEST_MESSAGE), b""):
        if halt:
            return False
        if len(row) == _LONGEST_MESSAGE:
            return False
        message = _message(row)
        match message.get("type"):
            case "match":
                held.add(_match(message["data"]))
            case "end":
                # A NUL further down makes the file binary, whatever matched before it.
                if message["data"]["binary_offset"] is None:
                    findings.take(held)
                held = FirstMatches()
            case "summary":
                return True
            case _:
                continue
    return False


def _message(row: bytes) -> dict[str, Any]:
    """Parse a line of ripgrep's output; empty if it was killed while writing it."""
    try:
        return json.loads(row)
    except ValueError:
        return {}


def _match(data: Mapping[str, Any]) -> LineMatch:
    line = _text(data["lines"]).removesuffix("\n").removesuffix("\r")
    shown = shortened(line, _starts(data))
    return LineMatch(Path(_text(data["path"])), int(data["line_number"]), shown)


def _starts(data: Mapping[str, Any]) -> Iterator[int]:
    """Yield where a line matches, in characters; ripgrep counts bytes."""
    line, seen, characters = _bytes(data["lines"]), 0, 0
    for match in data["submatches"]:
        start = int(match["start"])
        characters += len(line[seen:start].decode("utf-8", "replace"))
        seen = start
        yield characters


def _text(field: Mapping[str, str]) -> str:
    if "text" in field:
        return field["text"]
    return _bytes(field).decode("utf-8", "replace")


def _bytes(field: Mapping[str, str]) -> bytes:
    return field["text"].encode() if "text" in field else base64.b64decode(field["bytes"])
