"""What can be completed at the prompt: commands behind a slash, files and changes behind an @."""

import asyncio
import re
from collections.abc import AsyncGenerator, Iterable, Sequence

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from plimsoll.session.commands.slash import SLASHES
from plimsoll.terminal.keyboard import Candidate, Offers
from plimsoll.terminal.mentions import CHANGES, mention_of
from plimsoll.terminal.screen import one_line

MOST_SHOWN = 50
_QUOTE = '"'
_COMMAND = re.compile(r"/([A-Za-z0-9:_-]*)\Z")
_ARGUMENT = re.compile(r"/([a-z-]+)\s+(\S*)\Z")
_FILE = re.compile(r'(?:^|\s)@(?:"([^"\n]*)|([^\s"@]*))\Z')


class PromptCompleter(Completer):
    """Completes commands, those of their arguments that are known, and the names of files."""

    def __init__(self, offers: Offers) -> None:
        self._offers = offers

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Complete nothing: both lists take time; see ``Completer``."""
        del document, complete_event
        return ()

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """Complete the text before the cursor; see ``Completer``."""
        del complete_event
        before = document.text_before_cursor
        if found := _COMMAND.match(before):
            custom = await self._offers.custom()
            fitting = [each for each in custom if each.value.startswith(found[1])]
            for candidate in (*commands(found[1]), *fitting):
                yield _completion(candidate, found[1])
        elif found := _ARGUMENT.match(before):
            for candidate in await self._argument(found[1], found[2]):
                yield _completion(candidate, found[2])
        elif found := _FILE.search(before):
            typed = found[1] if found[1] is not None else found[2]
            if found[1] is None and CHANGES.startswith(typed):
                yield _completion(Candidate(CHANGES, "what git has as changed"), typed)
            paths = await asyncio.to_thread(self._offers.files)
            for path in files(paths, typed):
                yield _file_completion(path, typed, quoted=found[1] is not None)

    async def _argument(self, command: str, typed: str) -> Sequence[Candidate]:
        found = await self._offers.arguments(command)
        return [each for each in found if typed.lower() in each.value.lower()][:MOST_SHOWN]


def commands(typed: str) -> list[Candidate]:
    """List the slash commands that begin with the typed letters."""
    return [
        Candidate(name, f"{command.arguments}  {command.help}".strip())
        for name, command in SLASHES.items()
        if name.startswith(typed)
    ]


def files(paths: Iterable[str], typed: str) -> list[str]:
    """List the paths that contain the typed letters, first those whose name begins with them."""
    words = typed.lower()
    fitting = [path for path in paths if words in path.lower() or _is_shown_with(path, words)]

    def rank(path: str) -> tuple[bool, bool, int, str]:
        name = path.lower().rpartition("/")[2]
        return not path.lower().startswith(words), not name.startswith(words), len(path), path

    return sorted(fitting, key=rank)[:MOST_SHOWN]


def _is_shown_with(path: str, words: str) -> bool:
    """Tell whether a name contains the words, as it is displayed or with plain blanks."""
    if path.isascii() and path.isprintable():
        return False
    shown, plain = mention_of(path), " ".join(path.split())
    return words in shown.lower() or words in plain.lower()


def _completion(candidate: Candidate, typed: str) -> Completion:
    return Completion(
        candidate.value, -len(typed), display_meta=one_line(candidate.about, 80) or None
    )


def _file_completion(path: str, typed: str, *, quoted: bool) -> Completion:
    told = mention_of(path)
    if quoted:
        told = f'{told.strip(_QUOTE)}"'
    return Completion(told, -len(typed), display=one_line(path))
