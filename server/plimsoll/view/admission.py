"""Who may see the context of a session in a browser: whoever shows a token or key for it."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from plimsoll.session.project import Project

WORD_BYTES = 24
"""Random bytes of a token and of a key; as text they have 32 characters."""


@dataclass(frozen=True, slots=True)
class ShownSession:
    """A session that a browser may show."""

    project: Project
    session_id: str


class Admission:
    """Gives tokens that are good once, and exchanges each for a key that is good until the end.

    A token stands in the address that a person opens; the key stays in their browser. Only digests
    are kept: how long a look-up takes tells nothing of the words.
    """

    def __init__(self) -> None:
        self._tokens: dict[bytes, ShownSession] = {}
        self._keys: dict[bytes, ShownSession] = {}

    def issue(self, shown: ShownSession) -> str:
        """Make a token for a session; the earlier one of it that nobody used is void."""
        self._tokens = {each: other for each, other in self._tokens.items() if other != shown}
        return _add(self._tokens, shown)

    def knows(self, word: str) -> bool:
        """Tell whether a text is a token that nobody used yet, or a key."""
        digest = _digest(word)
        return digest in self._tokens or digest in self._keys

    def admit(self, word: str) -> tuple[ShownSession, str] | None:
        """Return the session of a token or key, and its key; a token is void from now on."""
        digest = _digest(word)
        if digest in self._keys:
            return self._keys[digest], word
        shown = self._tokens.pop(digest, None)
        return None if shown is None else (shown, _add(self._keys, shown))


def _add(known: dict[bytes, ShownSession], shown: ShownSession) -> str:
    word = secrets.token_urlsafe(WORD_BYTES)
    known[_digest(word)] = shown
    return word


def _digest(word: str) -> bytes:
    return hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()


def is_own_page(own: str, hosts: Sequence[str], origins: Sequence[str]) -> bool:
    """Tell whether a request names this server as ``host:port``, and comes from no other page.

    Another name that leads to the loopback is refused (DNS rebinding), and another origin. Several
    headers of one name are refused too: who reads them next might take another one.
    """
    return list(hosts) == [own] and list(origins) in ([], [f"http://{own}"])
