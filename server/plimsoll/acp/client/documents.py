"""Reads and writes files through the client, so that its unsaved changes count."""

import asyncio
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path

from plimsoll.acp.abilities import ClientAbilities
from plimsoll.acp.peer import Peer
from plimsoll.errors import PlimsollError, ToolFailed
from plimsoll.lsp.dispatch.client_requests import ClientRefused, ClientSilent
from plimsoll.lsp.transport.bodies import member

READ, WRITE = "fs/read_text_file", "fs/write_text_file"
READ_SECONDS, WRITE_SECONDS = 5.0, 30.0
LARGEST = 2_000_000
"""Bytes of a file of which the client is asked; of a larger one the disk is read."""

log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class AcpDocuments:
    """The ``Documents`` port over a client of ACP, which does not say which files are open.

    So it is asked for each text file that is read or changed. A file that is no UTF-8 is read from
    the disk, whatever the client makes of it.
    """

    client: Peer
    abilities: Callable[[], ClientAbilities]
    session_of: Callable[[Path], str | None]
    """Returns the session in whose name a file is asked for; none: no folder has it."""
    loop: asyncio.AbstractEventLoop
    unsaved: frozenset[Path] = field(default=frozenset())
    """The files that the client had other texts of when it was asked last."""
    silent: bool = False
    """The client has left a question of ours unanswered, so that it is asked no more."""

    def open_files(self) -> Collection[Path]:
        """Return the files with unsaved changes, as far as they are known."""
        return self.unsaved

    def open_text(self, path: Path) -> str | None:
        """Return the client's text of a file; None if the file on disk serves as well. Blocks.

        It does if both texts are equal and the client does not write files for us.
        """
        if not self.abilities().reads_files or self.silent or _is_on_loop():
            return None
        saved = _text_on_disk(path)
        if saved is None:
            return None
        asked = asyncio.run_coroutine_threadsafe(self._read(path), self.loop)
        text = asked.result()
        if text is None or _as_lines(text) == _as_lines(saved):
            self.unsaved -= {path}
            # What differs in the ends of lines alone would be told as a change of every line.
            return text if text == saved and self.abilities().writes_files else None
        self.unsaved |= {path}
        return text

    async def apply_edit(self, path: Path, before: str, after: str, label: str) -> bool:
        """Let the client write a new text of a file and show it; return False if it did not.

        Raises:
            ToolFailed: The client refused, or did not say whether it has done so.
        """
        del label
        session = self.session_of(path)
        if not self.abilities().writes_files or session is None:
            return False
        if await self._read(path) != before:
            return False
        params = {"sessionId": session, "path": str(path), "content": after}
        try:
            await self.client.ask(WRITE, params, WRITE_SECONDS)
        except ClientRefused as error:
            raise ToolFailed(
                f"{error.message} Nothing was changed in {path.name}. Tell the person."
            ) from error
        except ClientSilent as error:
            raise ToolFailed(
                f"The editor did not say whether it has changed {path.name}. Read it again."
            ) from error
        self.unsaved -= {path}
        return True

    async def _read(self, path: Path) -> str | None:
        """Ask the client for the text of a file; None if it has none of it."""
        session = self.session_of(path)
        if session is None or self.silent:
            return None
        params = {"sessionId": session, "path": str(path)}
        try:
            answer = await self.client.ask(READ, params, READ_SECONDS)
        except ClientSilent as error:
            self.silent = True
            log.warning("files are read from the disk from now on: %s", error.message)
            return None
        except PlimsollError:
            return None
        text = member(answer, "content")
        return text if isinstance(text, str) else None


def _is_on_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _text_on_disk(path: Path) -> str | None:
    """Read a text file of UTF-8; None for any other, and for one that is not there."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST:
            return None
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return None if "\0" in text else text


def _as_lines(text: str) -> str:
    return text.replace("\r\n", "\n")
