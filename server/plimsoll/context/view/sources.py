"""An index of the items of the next request by the file that they stem from.

Only groups that changed since the last query are indexed again, so that a query about one file
costs the same however long the request is.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Self
from urllib.parse import unquote, urlparse

from plimsoll.context.log.messages import is_frame
from plimsoll.context.view.view import RenderedGroup, RenderedItem

Stemming = tuple[tuple[str, bool], ...]
"""For each item of a group that stems from a file: the file, and whether it is of a message."""


class VisibleSources:
    """The index of the files whose text the view shows."""

    def __init__(self) -> None:
        self._rendered_groups: Sequence[RenderedGroup] = ()
        self._head: Sequence[RenderedItem] = ()
        self._changed: set[int] = set()
        self._known: dict[int, Stemming] = {}
        self._groups: dict[str, list[int]] = {}
        """The indices of the groups with items of a file, in order."""
        self._firsts: list[tuple[int, int, str]] = []
        """Where the messages show each file first, sorted: group, place in it, file."""
        self._first_of: dict[str, tuple[int, int, str]] = {}
        self._file_of: dict[str, str] = {}

    def touch(self, before: RenderedGroup, now: RenderedGroup) -> None:
        """Mark a group to be indexed again if files are in its old or new rendering."""
        if before.sources or now.sources:
            self._changed.add(now.index)

    def refresh(self, groups: Sequence[RenderedGroup], head: Sequence[RenderedItem]) -> Self:
        """Index the changed groups again; ``head`` has the items before the groups."""
        self._rendered_groups, self._head = groups, head
        for index in sorted(self._changed):
            self._update_group(index, groups[index].sources)
        self._changed.clear()
        return self

    def items_of(self, *files: str) -> list[RenderedItem]:
        """Return the items that stem from these files, in the order of the request."""
        wanted = frozenset(files)
        head = [shown for shown in self._head if _file_behind(shown) in wanted]
        groups = {index for file in wanted for index in self._groups.get(file, ())}
        stand = (
            shown for index in sorted(groups) for shown in self._rendered_groups[index].sources
        )
        return [*head, *(shown for shown in stand if _file_behind(shown) in wanted)]

    def newest_files(self, most: int) -> list[str]:
        """Return up to ``most`` files of messages, the one that appeared last at the end."""
        return [file for _, _, file in self._firsts[-most:]]

    def items_of_same_files(self, items: Iterable[str]) -> list[RenderedItem]:
        """Return the items of messages that stem from the same files, in order of the request."""
        files = {file for item in items if (file := self._file_of.get(item)) is not None}
        return [shown for shown in self.items_of(*files) if not is_frame(shown.item)]

    def _update_group(self, index: int, sources: Sequence[RenderedItem]) -> None:
        found = [(shown, file) for shown in sources if (file := _file_behind(shown)) is not None]
        self._file_of.update((shown.item, file) for shown, file in found)
        now = tuple((file, not is_frame(shown.item)) for shown, file in found)
        before = self._known.get(index, ())
        if now == before:
            return
        self._known[index] = now
        held = {file for file, _ in now}
        for file in dict.fromkeys(file for file, _ in (*before, *now)):
            self._update_file(file, index, stands=file in held)
            self._find_first(file)

    def _update_file(self, file: str, index: int, *, stands: bool) -> None:
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


def _file_behind(shown: RenderedItem) -> str | None:
    source = shown.part.source
    return None if source is None else file_of(source.uri)


@lru_cache(maxsize=4096)
def file_of(uri: str) -> str | None:
    """Return the path of the file that a URI names, or None if it names no file."""
    try:
        parsed = urlparse(uri)
    except ValueError:
        # An imported log may hold any text as the URI.
        return None
    if parsed.scheme != "file" or not parsed.path:
        return None
    return "/" + "/".join(name for name in unquote(parsed.path).split("/") if name not in {"", "."})
