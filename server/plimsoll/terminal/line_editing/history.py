"""The prompts of a folder, kept for the arrow keys; what looks like a secret is not kept.

The file stands with the other things that are kept of the folder, so it is forgotten with them.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from prompt_toolkit.history import History

from plimsoll.errors import StoreUnavailable
from plimsoll.memory.secrets import find_secret
from plimsoll.private_files import append_private, replace_private

HISTORY_FILE = "history"
MOST_PROMPTS = 1_000
"""How many are kept."""
LONGEST_PROMPT = 100_000
"""Characters; a longer one was pasted, and nobody looks for it by its beginning."""


class PromptHistory(History):
    """A file with a JSON string a line, the newest last, for its owner alone."""

    def __init__(self, path: Path, redact: Callable[[str], str]) -> None:
        """``redact`` replaces the secrets that the process knows."""
        super().__init__()
        self._path = path
        self._redact = redact

    def load_history_strings(self) -> Iterator[str]:
        """Yield the kept prompts, the newest first; see ``History``."""
        try:
            lines = self._path.read_text("utf-8", "replace").removesuffix("\n").split("\n")
        except OSError:
            # There is none yet, or it cannot be read: a chat goes on without.
            return
        if len(lines) > 2 * MOST_PROMPTS:
            lines = lines[-MOST_PROMPTS:]
            with suppress(StoreUnavailable):
                replace_private(self._path, "".join(f"{line}\n" for line in lines))
        for line in reversed(lines[-MOST_PROMPTS:]):
            prompt = _read(line)
            if prompt is not None:
                yield prompt

    def store_string(self, string: str) -> None:
        """Keep a prompt; see ``History``."""
        if not self._may_be_kept(string):
            return
        line = json.dumps(string).encode() + b"\n"
        # A full disk costs the history, not the prompt. One write: two chats do not mix lines.
        with suppress(OSError):
            file = append_private(self._path)
            try:
                os.write(file, line)
            finally:
                os.close(file)

    def _may_be_kept(self, prompt: str) -> bool:
        return (
            0 < len(prompt) <= LONGEST_PROMPT
            and self._redact(prompt) == prompt
            and find_secret(prompt) is None
        )


def _read(line: str) -> str | None:
    try:
        found: object = json.loads(line)
    except ValueError:
        # Half a line: the disk was full, or the machine went down.
        return None
    return found if isinstance(found, str) else None
