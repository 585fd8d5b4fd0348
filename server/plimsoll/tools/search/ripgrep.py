"""Lists files by ripgrep, and finds those that may hold an expression.

What it names is looked at again here, so it decides nothing: it saves reading the other files. It
follows no link, and runs no configuration, pre-processor or decompressor of the workspace.
"""

import os
import re
import subprocess
import sysconfig
import tempfile
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.process.confinement.seen.looks import is_program, real, within
from plimsoll.tools.search.halt import Halt
from plimsoll.tools.search.python_search import LARGEST_FILE
from plimsoll.tools.search.repository import GIT, GitFolder, IgnoreFiles, repository_at
from plimsoll.tools.search.ripgrep_rules import UntranslatableError, folder_line, ignore_lines
from plimsoll.tools.search.rules import IGNORE_FILE, Rules
from plimsoll.tools.search.walk import Walk, Walker, WalkPlace, notes_on, prefix_of, tracked_below

_OPTIONS = (
    *("--no-config", "--no-ignore", "--hidden", "--no-follow", "--null"),
    # They are named once more, as `--no-ignore` alone does not mean each of them.
    *("--no-ignore-parent", "--no-ignore-vcs", "--no-ignore-dot", "--no-ignore-global"),
    *("--ignore-files", "--sort=none", "--color=never"),
)
_LISTED = tuple(
    line.encode() for line in (f"!**/{IGNORE_FILE}", f"**/{GIT}/*", f"!**/{GIT}/HEAD", f"!**/{GIT}")
)
"""What is listed to be known, whatever ignores it."""
_UNREADABLE = re.compile(r"rg: (?P<path>.*): (?P<reason>.*) \(os error \d+\)")
_MOST_ROUNDS = 4
"""Listings until no further ignore file comes to light, each by the rules known before."""
_MOST_AREAS = 20
"""Repositories in one search, each walked by itself."""
_SHARE = 0.75
"""Of the time that is left: what was found must still be looked at."""
_FAILED = 2
"""Ripgrep's exit code where it could not do all; it has written what it found."""
_PROGRAM = "rg"
_NUL = r"\x00"
_LONE_RETURN = r"\r[^\r\n]"
_PLAIN = re.compile(r"(?:[^\W_]|[ _,;:=<>\"'`~!@#%&/-]|\\[^\w\s])*", re.ASCII)
"""Expressions that match the same bytes in each encoding that holds ASCII."""


# A line that is no UTF-8, from its start to the first byte that is wrong. Lines of other encodings
# are told by it, where what is looked for may be written in other bytes there.
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
    """Ripgrep cannot run, or cannot read the expression or the rules; Python searches instead."""


@dataclass(frozen=True, slots=True)
class _Area:
    """A folder with one set of rules: a repository, or the part of one that is searched."""

    base: str
    """The folder that its lines speak of, with a slash at its end."""
    below: str
    """The folder itself, by its path below that one."""
    lines: bytes
    """Its ignore files and the repositories in it, as one ignore file."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The files that ripgrep has listed, and the options by which it searches them."""

    walk: Walk
    areas: tuple[_Area, ...]
    tracked: frozenset[str]
    """Files that no area holds, as they are ignored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ripgrep:
    """Runs a ripgrep program."""

    program: str
    environment: Mapping[str, str]
    halt: Halt

    def list_files(
        self, walker: Walker, place: WalkPlace | None, names: Sequence[str] | None
    ) -> Listing:
        """List the files below a place that no ignore rule leaves out.

        ``names``: globs, one of which each file's name matches; None: any name.

        Raises:
            UnsuitableError: Ripgrep cannot list them.
        """
        found = _ListedSoFar(self, walker, names)
        places = deque([place] if place is not None else [])
        try:
            while places and not self.halt:
                if len(found.areas) == _MOST_AREAS:
                    raise UnsuitableError
                found.add(places.popleft(), places)
        except UntranslatableError as error:
            raise UnsuitableError from error
        return found.listing(walker.start if place is None else place.folder)

    def candidates(self, listing: Listing, pattern: str, ignore_case: bool) -> set[str]:
        """Return the listed files that may hold a match, or are no plain text.

        Files over `LARGEST_FILE` are left out.

        Raises:
            UnsuitableError: Ripgrep cannot search them.
        """
        case = "--ignore-case" if ignore_case else "--case-sensitive"
        expressions = [pattern, _NUL]
        if "^" in pattern or "$" in pattern:
            expressions.append(_LONE_RETURN)
        if not _PLAIN.fullmatch(pattern):
            expressions.append(_NO_UTF8)
        matching = [f"--regexp={each}" for each in expressions]
        options = (
            *("--files-with-matches", "--text", "--crlf", "--no-mmap"),
            *(f"--max-filesize={LARGEST_FILE}", case, *matching),
        )
        found: set[str] = set()
        prefix = prefix_of(listing.walk.start)
        for area in listing.areas:
            inner = f"{area.base}{area.below}"[len(prefix) :]
            names, unreadable = self.names(area.base, area.below, area.lines, options)
            found.update(inner + name for name in names)
            found.update(inner + name for name, _ in unreadable)
        return found | listing.tracked

    def names(
        self, base: str, below: str, lines: bytes, options: Sequence[str]
    ) -> tuple[list[str], list[tuple[str, str]]]:
        """Run ripgrep below a folder with these ignore lines, whose paths are below ``base``.

        Returns the names in its output, and the unreadable ones, each with the reason; all relative
        to that folder.

        Raises:
            UnsuitableError: Ripgrep failed as a whole.
        """
        with _ignore_file(lines) as ignore_file, tempfile.TemporaryFile() as errors:
            where = (f"--ignore-file={ignore_file}", *options, "--", f"./{below}")
            output, failed = self._run(base, where, errors.fileno())
            errors.seek(0)
            told = os.fsdecode(errors.read())
        # A name that is torn was written by no ripgrep, or it was killed.
        if (output and output[-1:] != b"\0") or (failed and not told):
            raise UnsuitableError
        length = len(f"./{below}")
        unreadable = [_unreadable(row) for row in told.split("\n") if row and not self.halt]
        return (
            [name[length:] for name in os.fsdecode(output).split("\0")[:-1]],
            [(path[length:], reason) for path, reason in unreadable],
        )

    def _run(self, base: str, options: Sequence[str], errors: int) -> tuple[bytes, bool]:
        """Run ripgrep; return its output, and whether some file could not be read."""
        try:
            process = subprocess.Popen(
                [self.program, *_OPTIONS, *options],
                cwd=base,
                env={k: v for k, v in self.environment.items() if k != "RIPGREP_CONFIG_PATH"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        except OSError as error:
            raise UnsuitableError(str(error)) from error
        with process, self.halt.ending(process.kill, share=_SHARE):
            assert process.stdout is not None
            output = process.stdout.read()
            process.wait()
        if process.returncode not in {0, 1, 2} and not self.halt:
            raise UnsuitableError(f"it ended with {process.returncode}")
        return output, process.returncode == _FAILED


class _ListedSoFar:
    """The files that ripgrep has listed so far, place by place."""

    def __init__(self, ripgrep: Ripgrep, walker: Walker, names: Sequence[str] | None) -> None:
        self.areas: list[_Area] = []
        self._ripgrep = ripgrep
        self._walker = walker
        known = () if names is None else (*names, IGNORE_FILE, GIT, "HEAD")
        kinds = [f"--type-add=wanted:{each}" for each in known]
        self._options = ("--files", *kinds, *(["--type=wanted"] if kinds else []))
        self._files: list[str] = []
        self._repositories: list[tuple[GitFolder, IgnoreFiles]] = []
        self._worktrees: list[Path] = []
        self._unapplied: list[str] = []
        self._unreadable: list[str] = []

    def add(self, place: WalkPlace, more: "deque[WalkPlace]") -> None:
        """List the files of one place; repositories inside become places of their own."""
        folder = prefix_of(place.folder)
        base = next((each for each, _ in place.rules.files), folder)
        below = folder[len(base) :]
        rules, names, nested = self._list_until_settled(place, base, below)
        self._unapplied += notes_on(rules.files)
        if place.repository is not None:
            self._repositories.append((place.repository, rules.files))
        outside: list[bytes] = []
        for one in nested:
            inner = self._walker.with_own_rules(
                WalkPlace(place.folder / one, rules, place.repository), place.repository
            )
            outside.append(folder_line(below + one))
            if inner is None:
                self._worktrees.append(place.folder / one)
            else:
                more.append(inner)
        lines = [*ignore_lines(rules.files, base), *outside, f"**/{GIT}".encode()]
        self.areas.append(_Area(base, below, b"\n".join(lines)))
        beyond = tuple(f"{one}/" for one in nested)
        halt = self._walker.halt
        self._files += [
            folder + name
            for name in names
            if not (beyond and name.startswith(beyond))
            # Asked of few: there may be a hundred thousand.
            and (GIT not in name or _is_kept(name, folder, rules, halt))
        ]

    def _list_until_settled(
        self, place: WalkPlace, base: str, below: str
    ) -> tuple[Rules, list[str], Sequence[str]]:
        """List a place again and again until no new ignore file is found.

        Returns all the rules, the files, and the tops of repositories.
        """
        halt = self._walker.halt
        known = [""]
        for _ in range(_MOST_ROUNDS):
            rules = place.rules
            for one in known:
                rules = rules.below(place.folder / one, [IGNORE_FILE], halt)
            lines = b"\n".join([*ignore_lines(rules.files, base), *_LISTED])
            names, unreadable = self._ripgrep.names(base, below, lines, self._options)
            nested = [one for one in _tops(names) if repository_at(place.folder / one) is not None]
            beyond = tuple(f"{one}/" for one in nested)
            files = (name for name in names if name.endswith(f"/{IGNORE_FILE}"))
            folders = sorted(
                name.removesuffix(f"/{IGNORE_FILE}")
                for name in files
                if not name.startswith(beyond) and f"/{GIT}/" not in f"/{name}"
            )
            if ["", *folders] == known or halt:
                self._unreadable += [f"{Path(path).name}: {why}" for path, why in unreadable]
                return rules, names, nested
            known = ["", *folders]
        raise UnsuitableError

    def listing(self, place: Path) -> Listing:
        """Return all listed files, by paths relative to the folder where the walk starts."""
        walker = self._walker
        length = len(prefix_of(walker.start))
        names = {name[length:] for name in self._files}
        tracked = frozenset(tracked_below(place, walker, self._repositories))
        walk = Walk(
            start=walker.start,
            names=sorted(names | tracked),
            whole=not walker.halt,
            unseen=(place,) if walker.halt else (),
            unreadable=tuple(sorted(self._unreadable)),
            unapplied=tuple(self._unapplied),
            worktrees=tuple(sorted(self._worktrees)),
        )
        return Listing(walk, tuple(self.areas), tracked - names)


def _tops(names: Sequence[str]) -> list[str]:
    """Return the folders with a repository, outermost first, by the listed names below them."""
    marks = (f"/{GIT}", f"/{GIT}/HEAD")
    found = {
        name.removesuffix("/HEAD").removesuffix(f"/{GIT}") for name in names if name.endswith(marks)
    }
    tops: list[str] = []
    for one in sorted(found):
        if not any(one.startswith(f"{top}/") for top in tops) and f"/{GIT}/" not in f"/{one}/":
            tops.append(one)
    return tops


def _is_kept(name: str, folder: str, rules: Rules, halt: Halt) -> bool:
    """Tell whether a listed path that contains ``.git`` or ``.gitignore`` is to be searched."""
    parts = name.split("/")
    if GIT in parts:
        return False
    if parts[-1] != IGNORE_FILE:
        return True
    path = folder + name
    holding = tuple(file for file in rules.files if path.startswith(file[0]))
    return not Rules(rules.reader, holding).ignores(path, halt, is_folder=False)


def _unreadable(row: str) -> tuple[str, str]:
    told = _UNREADABLE.fullmatch(row)
    if told is None:
        raise UnsuitableError(row)
    return told["path"], told["reason"]


@contextmanager
def _ignore_file(lines: bytes) -> Generator[str]:
    with tempfile.TemporaryDirectory(prefix="plimsoll-search-") as folder:
        path = Path(folder) / "ignored"
        path.write_bytes(lines)
        yield str(path)


def find_ripgrep(
    variables: Mapping[str, str], workspaces: Iterable[Path] = (), named: str | None = None
) -> str | None:
    """Find the ripgrep that a client names, or that of the package, or one in PATH; blocks.

    One in a workspace is passed over: a program that a repository brings is never run.
    """
    avoided = tuple(filter(None, map(real, workspaces)))
    found = (real(each) for each in _programs(variables.get("PATH", ""), named))
    usable = (each for each in found if each and is_program(each) and not within(each, avoided))
    return next(map(str, usable), None)


def _programs(path: str, named: str | None) -> Iterator[Path]:
    if named is not None:
        yield Path(named)
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")),
        *path.split(os.pathsep),
    ]
    yield from (Path(each) / _PROGRAM for each in folders if Path(each).is_absolute())


def usable_program(context: CallContext) -> str | None:
    """Return the found ripgrep, or None if it lies in the workspace."""
    if context.ripgrep is None:
        return None
    program = Path(context.ripgrep)
    inside = any(path.is_relative_to(context.root) for path in (program, program.resolve()))
    return str(program) if program.is_absolute() and not inside else None
