"""Which items of the next request stem from which file.

The view says which groups have changed; those alone are looked at, when somebody asks. So what is
asked of one file, or of the files read last, costs the same however much stands.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Self
from urllib.parse import unquote, urlparse

from plimsoll.context.log.messages import is_frame
from plimsoll.context.view.view import RenderedItem, SettledGroup

Stemming = tuple[tuple[str, bool], ...]
"""Of each item of a group that stems from a file: the file, and whether somebody said the item."""


class StandingSources:
    """The files behind what stands in the view."""

    def __init__(self) -> None:
        self._settled: Sequence[SettledGroup] = ()
        self._before: Sequence[RenderedItem] = ()
        self._changed: set[int] = set()
        self._known: dict[int, Stemming] = {}
        self._groups: dict[str, list[int]] = {}
        """The groups in which items of a file stand, in their order."""
        self._firsts: list[tuple[int, int, str]] = []
        """Where each file stands first of what was said, in their order: group, place in it."""
        self._first_of: dict[str, tuple[int, int, str]] = {}
        self._file_of: dict[str, str] = {}

    def touch(self, before: SettledGroup, now: SettledGroup) -> None:
        """Note that a group stands otherwise."""
        if before.sources or now.sources:
            self._changed.add(now.index)

    def read(self, settled: Sequence[SettledGroup], before: Sequence[RenderedItem]) -> Self:
        """Take in what has changed; ``before`` is what stands before the groups."""
        self._settled, self._before = settled, before
        for index in sorted(self._changed):
            self._settle(index, settled[index].sources)
        self._changed.clear()
        return self

    def items_of(self, *files: str) -> list[RenderedItem]:
        """Return the items that stem from some files, in the order of the request."""
        wanted = frozenset(files)
        head = [shown for shown in self._before if _file(shown) in wanted]
        groups = {index for file in wanted for index in self._groups.get(file, ())}
        stand = (shown for index in sorted(groups) for shown in self._settled[index].sources)
        return [*head, *(shown for shown in stand if _file(shown) in wanted)]

    def read_last(self, most: int) -> list[str]:
        """Return the files of what was said, at most so many, the one that came last at the end."""
        return [file for _, _, file in self._firsts[-most:]]

    def beside(self, items: Iterable[str]) -> list[RenderedItem]:
        """Return what was said of the files of these items, in the order of the request."""
        files = {file for item in items if (file := self._file_of.get(item)) is not None}
        return [shown for shown in self.items_of(*files) if not is_frame(shown.item)]

    def _settle(self, index: int, sources: Sequence[RenderedItem]) -> None:
        found = [(shown, file) for shown in sources if (file := _file(shown)) is not None]
        self._file_of.update((shown.item, file) for shown, file in found)
        now = tuple((file, not is_frame(shown.item)) for shown, file in found)
        before = self._known.get(index, ())
        if now == before:
            return
        self._known[index] = now
        held = {file for file, _ in now}
        for file in dict.fromkeys(file for file, _ in (*before, *now)):
            self._stand(file, index, stands=file in held)
            self._find_first(file)

    def _stand(self, file: str, index: int, *, stands: bool) -> None:
        groups = self._groups.setdefault(file, [])
        place = bisect_left(groups, index)
        stood = place < len(groups) and groups[place] == index
        if stands and not stood:
            groups.insert(place, index)
        elif stood and not stands:
            del groups[place]

    def _find_first(self, file: str) -> None:
        places = (
            (index, place, file)
            for index in self._groups[file]
            for place, (other, said) in enumerate(self._known[index])
            if said and other == file
        )
        now, before = next(places, None), self._first_of.pop(file, None)
        if now is not None:
            self._first_of[file] = now
        if now == before:
            return
        if before is not None:
            del self._firsts[bisect_left(self._firsts, before)]
        if now is not None:
            insort(self._firsts, now)


def _file(shown: RenderedItem) -> str | None:
    source = shown.part.source
    return None if source is None else file_of(source.uri)


@lru_cache(maxsize=4096)
def file_of(uri: str) -> str | None:
    """Return the path of the file that a URI names; none where it is no file."""
    try:
        parsed = urlparse(uri)
    except ValueError:
        # A log that came from elsewhere may hold anything in its place.
        return None
    if parsed.scheme != "file" or not parsed.path:
        return None
    return "/" + "/".join(name for name in unquote(parsed.path).split("/") if name not in {"", "."})
