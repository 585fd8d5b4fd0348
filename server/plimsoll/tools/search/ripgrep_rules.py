"""Writes the rules of ignore files, and a name that is looked for, as ripgrep reads them.

Law: ripgrep leaves out exactly what our own matcher does. It is given no ignore file of a
repository, but the lines that we have read, each for its folder and in signs that both read alike;
what cannot be written so is not searched by ripgrep at all.
"""

import re
from collections.abc import Iterable, Iterator

from plimsoll.tools.search.ignore import IgnoreFile, Line
from plimsoll.tools.search.patterns import BELOW, FOLDERS, STAR, choices, pieces_of

MOST_WILD = 1_000
"""Lines with wildcards, of all ignore files together, that ripgrep tries on each path."""
_LITERAL = re.compile(r"[A-Za-z0-9_.,~+@%=:;'\"#&/^()<>|!$`\-]")
_WILD = re.compile(r"[*?\[\\]")


class UntranslatableError(Exception):
    """A rule cannot be written so that ripgrep reads it as git does."""


def ignore_lines(files: Iterable[tuple[str, IgnoreFile]], base: str) -> Iterator[bytes]:
    """Write ignore files, outermost first, as one file whose patterns are below ``base``.

    Each comes with its folder; both are absolute paths that end in ``/``.

    Raises:
        UntranslatableError: A line, or all of them together, cannot be given to ripgrep.
    """
    wild = 0
    for folder, file in files:
        prefix = _quote(_of_bytes(folder.removeprefix(base)))
        for line in file.lines:
            wild += bool(prefix) or _WILD.search(line.body) is not None
            if wild > MOST_WILD:
                raise UntranslatableError
            glob = _glob(line)
            if glob is not None:
                mark = "!" if line.includes else ""
                end = "/" if line.folders_only else ""
                where = f"{prefix}**/" if line.by_name else prefix
                start = "" if line.by_name and not prefix else "/"
                yield f"{mark}{start}{where}{glob}{end}".encode("latin-1")


def folder_line(relative: str) -> bytes:
    """Write the ignore line for one folder, by its path below the base."""
    return f"/{_quote(_of_bytes(relative))}/".encode("latin-1")


def name_globs(pattern: str) -> list[str] | None:
    """Return globs that match the names of all files that a glob matches; None: any name.

    They may match other names too.
    """
    names = {each.rpartition("/")[2] for each in choices(pattern)}
    globs = [_name_glob(name) for name in names]
    return None if not globs or "*" in globs else sorted(globs)


def _name_glob(name: str) -> str:
    pieces: list[str] = []
    for written, piece in pieces_of(name):
        literal = written.removeprefix("\\")
        is_star = piece in {STAR, FOLDERS, BELOW} or written[0] in "?["
        pieces.append("*" if is_star or not _LITERAL.fullmatch(literal) else literal)
    return re.sub(r"\*+", "*", "".join(pieces))


def _glob(line: Line) -> str | None:
    """Write an ignore line's pattern for ripgrep; None if it matches no path."""
    try:
        parts = list(pieces_of(line.body))
    except ValueError:
        return None
    _refuse_broken(line.body)
    pieces: list[str] = []
    for written, piece in parts:
        if piece == FOLDERS:
            pieces.append("**/")
        elif piece == BELOW:
            pieces.append("*" if line.by_name else "**/*")
        elif piece == STAR or written == "?":
            pieces.append("*" if piece == STAR else "?")
        elif written.startswith("["):
            chosen = _translate_class(piece)
            if chosen is None:
                return None
            pieces.append(chosen)
        else:
            pieces.append(_quote(written.removeprefix("\\")))
    return "".join(pieces) or None


def _translate_class(expression: str) -> str | None:
    """Write a bracket expression for ripgrep; None if it matches no character."""
    matches = re.compile(expression, re.DOTALL).match
    low = {chr(code) for code in range(1, 128) if matches(chr(code))}
    high = {bool(matches(chr(code))) for code in range(128, 256)}
    if len(high) > 1:
        # Of bytes above ASCII it chooses some; ripgrep chooses among characters.
        raise UntranslatableError
    if high == {False}:
        return _class(low, "") if low else None
    return _class({chr(code) for code in range(1, 128)} - low | {"/"}, "!")


def _class(characters: set[str], mark: str) -> str:
    if "\n" in characters:
        raise UntranslatableError
    # Where each of these stands, it is taken as it is.
    first = "]" if "]" in characters else ""
    last = "".join(sign for sign in "!^-" if sign in characters)
    middle = "".join(sorted(characters - {"]", "!", "^", "-"}))
    if not mark and not first and not middle and last[0] in "!^":
        if len(last) > 1 and last != "!-":
            raise UntranslatableError
        return last if last in "!^" else "[-!]"
    return f"[{mark}{first}{middle}{last}]"


def _quote(text: str) -> str:
    """Escape a text of bytes so that ripgrep takes each character literally."""
    _refuse_broken(text)
    if "\n" in text:
        raise UntranslatableError
    return "".join(
        sign if ord(sign) > 127 or _LITERAL.fullmatch(sign) else f"[{sign}]" for sign in text
    )


def _refuse_broken(text: str) -> None:
    """Refuse bytes that are not UTF-8, and trailing Unicode blanks, which ripgrep cuts off."""
    try:
        characters = text.encode("latin-1").decode()
    except UnicodeDecodeError as error:
        raise UntranslatableError from error
    if any(one.isspace() and not one.isascii() for one in characters):
        raise UntranslatableError


def _of_bytes(path: str) -> str:
    try:
        return path.encode().decode("latin-1")
    except UnicodeEncodeError as error:
        raise UntranslatableError from error
