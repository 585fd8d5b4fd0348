"""Finds lines of files that match an expression, by ripgrep.

It is given the very files to look at, so both engines see the same ones, and it never runs a
configuration, a pre-processor or a decompressor of the workspace.
"""

import base64
import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
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

# A line that is no UTF-8, from its start to the first byte that is wrong. Lines of other encodings
# are told by it in the same run, whatever is looked for, and their files are searched by us.
_TAIL = r"[\x80-\xBF]"
_NO_TAIL = r"(?:[^\x80-\xBF]|$)"
_SECOND = (r"\xE0[\xA0-\xBF]", r"[\xE1-\xEC\xEE\xEF]" + _TAIL, r"\xED[\x80-\x9F]")
_THIRD = (r"\xF0[\x90-\xBF]", r"[\xF1-\xF3]" + _TAIL, r"\xF4[\x80-\x8F]")
_SOUND = "|".join(
    [
        r"[\x00-\x7F]",
        r"[\xC2-\xDF]" + _TAIL,
        *(second + _TAIL for second in _SECOND),
        *(third + _TAIL * 2 for third in _THIRD),
    ]
)
_WRONG = "|".join(
    [
        r"[\x80-\xC1\xF5-\xFF]",
        r"[\xC2-\xDF\xE1-\xEC\xEE\xEF\xF1-\xF3]" + _NO_TAIL,
        r"\xE0(?:[^\xA0-\xBF]|$)",
        r"\xED(?:[^\x80-\x9F]|$)",
        r"\xF0(?:[^\x90-\xBF]|$)",
        r"\xF4(?:[^\x80-\x8F]|$)",
        *(start + _NO_TAIL for start in (*_SECOND, *_THIRD)),
        *(third + _TAIL + _NO_TAIL for third in _THIRD),
    ]
)
_NO_UTF8 = f"(?-ui:^(?:{_SOUND})*(?:{_WRONG}))"


class UnsuitableError(Exception):
    """Ripgrep cannot be run or cannot read the expression; the other engine may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ripgrep:
    """Searches files by a ripgrep program."""

    program: str
    pattern: str
    ignore_case: bool
    context: CallContext
    search_text: Callable[[Path, Findings], None]
    """Searches a file in the encoding that it has; for what is no UTF-8."""

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
            complete = self._take(process.stdout, findings, halt)
            process.kill()
        if halt:
            findings.whole = False
        elif not complete:
            raise UnsuitableError(f"it ended with {process.returncode}")

    def _command(self, paths: Sequence[Path]) -> list[str]:
        case = "--ignore-case" if self.ignore_case else "--case-sensitive"
        patterns = (f"--regexp={self.pattern}", f"--regexp={_NO_UTF8}")
        return [self.program, *_OPTIONS, case, *patterns, "--", *map(str, paths)]

    def _take(self, output: IO[bytes], findings: Findings, halt: Halt) -> bool:
        """Add the matches of whole files; false if the last message, a summary, never came."""
        held, is_utf8 = FirstMatches(), True
        # A longer message holds a line that no one could look at; the other engine cuts it.
        for row in iter(lambda: output.readline(_LONGEST_MESSAGE), b""):
            if halt or len(row) == _LONGEST_MESSAGE:
                return False
            message = _message(row)
            match message.get("type"):
                case "match":
                    # The bytes of a line are given where they are no text.
                    is_utf8 = is_utf8 and "text" in message["data"]["lines"]
                    held.add(_match(message["data"]))
                case "end":
                    self._take_file(message["data"], held if is_utf8 else None, findings)
                    held, is_utf8 = FirstMatches(), True
                case "summary":
                    return True
                case _:
                    continue
        return False

    def _take_file(
        self, ended: Mapping[str, Any], held: FirstMatches | None, findings: Findings
    ) -> None:
        # A NUL further down makes the file binary, whatever matched before it.
        if ended["binary_offset"] is not None:
            return
        if held is None:
            self.search_text(self.context.root / _text(ended["path"]), findings)
        else:
            findings.take(held)


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
