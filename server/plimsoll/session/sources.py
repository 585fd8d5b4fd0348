"""The files of the folder that memories come from, as they are now."""

from pathlib import Path
from urllib.parse import unquote, urlparse

from plimsoll.errors import ToolFailed
from plimsoll.memory.sources import HashOf
from plimsoll.session.environment import Environment

MOST_BYTES = 10_000_000


def hashes_of(environment: Environment) -> HashOf:
    """SHA-256 of the text of a file, given as a URI, as the editor has it; blocks.

    None: it is not there, is no text, or lies outside the folder.
    """

    def hash_of(uri: str) -> str | None:
        path = Path(unquote(urlparse(uri).path))
        if not path.is_relative_to(environment.root):
            # The editor may know the folder by a symlink to it.
            path = path.parent.resolve() / path.name
        if not path.is_relative_to(environment.root):
            return None
        name = path.relative_to(environment.root).as_posix()
        try:
            file = environment.read_text(name, environment.place, MOST_BYTES)
        except ToolFailed:
            # A file that cannot be read does not bear a memory out.
            return None
        return file.version if file is not None else None

    return hash_of
