"""A row of the table: names on which one program acts, when it does, and where that is written."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

When = Literal["at once", "opened", "started", "pushed", "built"]
"""When a name begins to act."""
WHEN: dict[When, str] = {
    "at once": "at once, in a program that runs",
    "opened": "when the folder, or a file in it, is opened",
    "started": "when a program starts in it",
    "pushed": "when it is pushed",
    "built": "when it is built, tested or installed",
}
SCRIPTS = ("js", "cjs", "mjs", "ts", "cts", "mts")
"""The endings of files that Node runs."""
_DATA = ("json", "jsonc", "json5", "yaml", "yml", "toml")


@dataclass(frozen=True, slots=True)
class ActingRow:
    """Names on which one program acts."""

    who: str
    when: When
    source: str
    """The public document or program that says so."""
    names: tuple[str, ...]
    """In lower case: a folder's ends in a slash, what any name may end in begins with ``*``."""


def config_names(*programs: str) -> tuple[str, ...]:
    """Return the names of configurations that are scripts, such as ``eslint.config.js``."""
    return tuple(f"{program}.config.{kind}" for program in programs for kind in SCRIPTS)


def rc_names(stem: str, kinds: Iterable[str] = (*_DATA, *SCRIPTS)) -> tuple[str, ...]:
    """Return the names that a configuration such as ``.eslintrc`` may have."""
    return (stem, *(f"{stem}.{kind}" for kind in kinds))
