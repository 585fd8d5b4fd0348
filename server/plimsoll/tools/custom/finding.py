"""Finds custom commands and agents on disk; what reads them is loaded where there are any."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plimsoll.tools.custom.places import SETTINGS, SHARED, WORKSPACE, CustomPlace
from plimsoll.tools.ports.written import CustomFile, CustomKind


@dataclass(frozen=True, slots=True)
class CustomPlaces:
    """The custom commands and agents on disk for one workspace: its own and the person's."""

    root: Path
    """The workspace's real path."""
    home: Path
    settings: Path
    """The folder of the person's settings."""

    def find(self, kind: CustomKind, *, trusted: bool) -> tuple[CustomFile, ...]:
        """Find all of a kind, the person's own first; a workspace's only if trusted. Blocks.

        A workspace's never replaces a person's own of the same name.
        """
        there = [each for each in self._places(kind, trusted) if Path(each.folder).is_dir()]
        if not there:
            return ()
        # Late: most people have none.
        from plimsoll.tools.custom.reading import read_places

        return read_places(kind, there, self.root, self.home)

    def _places(self, kind: CustomKind, trusted: bool) -> Iterator[CustomPlace]:
        yield CustomPlace(SETTINGS[kind], self.settings, "person")
        yield from (CustomPlace(each, self.home, "person") for each in SHARED[kind])
        if trusted:
            yield from (CustomPlace(each, self.root, "folder") for each in WORKSPACE[kind])
