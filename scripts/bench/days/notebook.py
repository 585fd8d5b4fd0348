"""What the scripted model knows: only what tools have shown it, read out of their results.

It picks what it speaks of as a person at work does: mostly from what has just arrived, now and then
from far back, and from what has to do with the task rather than from anything.
"""

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

DEFINITION = re.compile(
    r"^\s*(?:export\s+)?(?:async\s+)?(?:def|class|function)\s+(\w+)"
    r"|^\s*(?:\w+\.)+(\w+)\s*=\s*function"
)
_NUMBERED = re.compile(r"^(\d+)\t")
_HIT = re.compile(r"^([\w./-]+\.\w+):(\d+):(.*)$")
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?\.py)(?:::(.*?))?(?: - .*)?$")
_RAISED = re.compile(r"^(\S+\.py):(\d+): (\w+)")
_REASON = re.compile(r"^E   +(\S.*)$")
_VERDICT = re.compile(r"(\d+ (?:passed|failed)[^=]*?) in ")
_CALLED = re.compile(r"\b([A-Za-z_]\w{3,})\(")
_COMMENT = re.compile(r"^ \* (\w[^@]{12,}?)[.:]?$")
_WORD = re.compile(r"[A-Za-z]{4,}")


@dataclass(frozen=True, slots=True)
class Place:
    """A definition or match that a result has shown."""

    name: str
    path: str
    line: int
    text: str
    step: int
    """When it was shown last."""

    @property
    def address(self) -> str:
        """Where it is, as a model writes it."""
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a run of tests has come to."""

    failed: tuple[str, ...]
    reasons: tuple[str, ...]
    raised: tuple[tuple[str, int], ...]
    """Where errors were raised: paths with lines."""
    sum: str
    passed: tuple[str, ...]
    """Tests that a long log names one by one."""


@dataclass(slots=True)
class Notebook:
    """What has been seen, and when."""

    chance: random.Random
    step: int = 0
    files: dict[str, dict[int, str]] = field(default_factory=dict)
    """Lines by path and number, as last shown."""
    read_at: dict[str, int] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    spoken_of: dict[str, int] = field(default_factory=dict)
    """Names of places, by when they were last spoken of."""

    def file_shown(self, path: str, text: str) -> None:
        """Learn what a reading has shown."""
        lines = self.files.setdefault(path, {})
        self.read_at[path] = self.step
        number = 0
        for row in text.split("\n"):
            marked = _NUMBERED.match(row)
            number = int(marked[1]) if marked else number + 1
            lines[number] = row[marked.end() :] if marked else row
            self._place(path, number, lines[number])

    def matches_shown(self, text: str) -> list[Place]:
        """Learn what a search has shown, and return it."""
        found = [_HIT.match(row) for row in text.split("\n")]
        hits = [(each[1], int(each[2]), each[3]) for each in found if each]
        for path, line, row in hits:
            self.files.setdefault(path, {})[line] = row
            self._place(path, line, row)
        return [Place("", path, line, row, self.step) for path, line, row in hits]

    def _place(self, path: str, line: int, row: str) -> None:
        defined = DEFINITION.match(row)
        name = (defined[1] or defined[2]) if defined else None
        if name and not name.startswith("__"):
            self.places[name] = Place(name, path, line, row.strip(), self.step)

    def sentence(self, place: Place) -> str:
        """Return the beginning of what its file says of a place, as far as it was shown."""
        lines = self.files.get(place.path, {})
        for number in range(place.line + 1, place.line + 9):
            row = lines.get(number, "").strip()
            if row.startswith(('"""', 'r"""')):
                return row.strip('r"').rstrip(".")
        above = (lines.get(number, "") for number in range(place.line - 20, place.line))
        return next((found[1] for found in map(_COMMENT.match, above) if found), "")

    def body(self, place: Place, most: int = 30) -> list[str]:
        """Return the lines of a definition that were shown."""
        lines = self.files.get(place.path, {})
        return [lines[n] for n in range(place.line, place.line + most) if n in lines]

    def called_in(self, rows: Iterable[str]) -> list[str]:
        """Return the names that lines call, each once."""
        found = (name for row in rows for name in _CALLED.findall(row))
        return list(dict.fromkeys(name for name in found if name != "function"))

    def recent(self, most: int) -> list[Place]:
        """Pick places that the newest result has shown."""
        fresh = [each for each in self.places.values() if each.step == self.step]
        return self.chance.sample(fresh, min(most, len(fresh)))

    def related(self, topic: str, most: int, least_age: int = 3) -> list[Place]:
        """Pick places from further back that share words with a topic, of any age."""
        wanted = words_of(topic)
        older = [p for p in self.places.values() if self.step - p.step >= least_age]
        scored = [(len(words_of(f"{p.name} {p.text}") & wanted), p) for p in older]
        near = [(hits, self.chance.random(), place) for hits, place in scored if hits]
        near.sort(key=lambda each: (-each[0], each[1]))
        pool = [place for _, _, place in near[: most * 3]]
        return self.chance.sample(pool, min(most, len(pool)))

    def block(self, path: str, line: int) -> str | None:
        """Return some lines around one that occur once in what is known of the file."""
        lines = self.files.get(path, {})
        whole = "\n".join(lines[n] for n in sorted(lines))
        for before, after in ((0, 1), (1, 1), (2, 2), (3, 3), (4, 4)):
            rows = [lines.get(n) for n in range(line - before, line + after + 1)]
            block = "\n".join(row for row in rows if row is not None)
            if None not in rows and whole.count(block) == 1:
                return block
        return None


def verdict_of(log: str) -> Verdict:
    """Read the output of a run of tests as far as a person would look at it."""
    rows = log.split("\n")
    failed = [each for each in map(_FAILED.match, rows) if each]
    raised = [(each[1], int(each[2])) for each in map(_RAISED.match, rows) if each]
    reasons = dict.fromkeys(each[1] for each in map(_REASON.match, rows) if each)
    sums = _VERDICT.findall(log)
    passed = [row.partition(" PASSED")[0] for row in rows if " PASSED" in row]
    return Verdict(
        failed=tuple(f"{each[1]}::{each[2]}" if each[2] else each[1] for each in failed),
        reasons=tuple(reasons),
        raised=tuple(dict.fromkeys(raised)),
        sum=sums[-1] if sums else "nothing ran",
        passed=tuple(passed),
    )


def words_of(text: str) -> set[str]:
    """Return the words that a name or text is made of."""
    return {word.lower() for word in _WORD.findall(text.replace("_", " "))}


def paths_in(listing: str) -> Iterator[str]:
    """Yield the paths that a listing of files has, one a line."""
    for row in listing.split("\n"):
        if re.fullmatch(r"[\w./-]+\.\w+", row.strip()):
            yield row.strip()
