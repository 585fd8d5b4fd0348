"""How settings are spelled: in files, in the environment, in a client's settings; and nearly so."""

import difflib
import re
from typing import Literal

from plimsoll.settings.kinds import ELSEWHERE, FREE, KINDS, SECTIONS, Path

Style = Literal["toml", "environment", "client"]

PREFIX = "PLIMSOLL_"
SECRETS = frozenset(
    {"api_key", "apikey", "key", "token", "api_token", "auth_token", "secret", "password"}
)
"""Names under which people write down a key."""


def to_camel(name: str) -> str:
    """``keep_turns`` as ``keepTurns``."""
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def to_snake(name: str) -> str:
    """``keepTurns`` as ``keep_turns``; a name that is snake case already stays."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def spelled(path: Path, style: Style) -> str:
    """A setting as people write it there."""
    if style == "environment":
        return PREFIX + "__".join(path).upper()
    if style == "client":
        keep = len(path) - 1 if path[:-1] in FREE else len(path)
        return ".".join(
            _quoted(to_camel(word) if i < keep and "/" not in word else word)
            for i, word in enumerate(path)
        )
    return ".".join(_quoted(word) for word in path)


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"[A-Za-z0-9_-]+", word) else f'"{word}"'


def nearest(path: Path) -> Path | None:
    """The setting that was probably meant."""
    if path[:1] == ("models",) and len(path) > 2:
        meant = nearest(path[2:] if len(path) > 3 else ("model", *path[2:]))
        return (*path[:2], *_short(meant)) if meant else None
    if path in ELSEWHERE:
        return ELSEWHERE[path]
    moved = [known for known in KINDS if known[-1:] == path[-1:]]
    if moved:
        return min(moved, key=lambda known: -_likeness(known, path))
    known = {".".join(one): one for one in [*KINDS, *((name,) for name in SECTIONS)]}
    same_length = [name for name, one in known.items() if len(one) == min(len(path), 2)]
    close = difflib.get_close_matches(".".join(path), same_length, 1, 0.7)
    return known[close[0]] if close else None


def _short(path: Path) -> Path:
    return path[1:] if path[0] == "model" else path


def _likeness(one: Path, other: Path) -> float:
    return difflib.SequenceMatcher(None, ".".join(one), ".".join(other)).ratio()
