"""What a prompt mentions behind an @, wherever prompts are typed: files, folders, changes."""

import re
from pathlib import Path

from plimsoll.errors import InvalidInput
from plimsoll.session.ports.content import Content, FileRef, PromptText, RepositoryChanges
from plimsoll.tools.display import unescape_hidden, visible_path

_MENTION = re.compile(
    r'(?:^|(?<=\s))@(?:"(?P<quoted>[^"\n]+)"|(?P<plain>[^\s"@]+?))'
    r"(?::(?P<first>\d+)(?:-(?P<last>\d+))?)?(?=[\s,;)]|[.!?](?:\s|$)|$)"
)


CHANGES = "changes"
"""The mention of what git knows of the folder, unless there is a file of that name."""


_PLAIN = re.compile(r'(?:[^\s"@,;).!?:]|[.!?](?=[^\s,;).!?])|:(?=[^\s,;)\d.!?:]))+')
"""A name that a mention holds without quotes, and that nothing behind it is taken for a part of."""


def mention_of(path: str) -> str:
    """Spell a path of the folder as a mention behind an @, which `content_of` reads back."""
    shown = visible_path(path).replace('"', "⟨U+0022⟩")
    return shown if _PLAIN.fullmatch(shown) and path != CHANGES else f'"{shown}"'


def content_of(prompt: PromptText, root: Path) -> tuple[Content, ...]:
    """Return a prompt and its mentions: files, folders (``@src/``), ``@changes`` of git.

    Any other word behind an @ stays text: ``@decorator``, a person's name.

    Raises:
        InvalidInput: A file outside the folder is mentioned, which a pasted text could do.
    """
    found = dict.fromkeys(_resolve_mention(match, root) for match in _MENTION.finditer(prompt.text))
    return prompt, *(each for each in found if each is not None)


def _resolve_mention(match: re.Match[str], root: Path) -> FileRef | RepositoryChanges | None:
    file = _file(match, root)
    return RepositoryChanges() if file is None and match["plain"] == CHANGES else file


def _file(match: re.Match[str], root: Path) -> FileRef | None:
    named = match["quoted"] or match["plain"]
    try:
        # A name that is written as it is shown comes first, as with every tool.
        path = _find_path(unescape_hidden(named), root) or _find_path(named, root)
        inside = path is None or path.resolve().is_relative_to(root.resolve())
    except OSError:
        # Too long for a name: it is text.
        return None
    if path is None:
        return None
    if not inside:
        raise InvalidInput(
            f"The file was not attached: {named[:200]} is outside the folder.",
            remedy="Start in a folder that holds it, or paste what matters of it.",
        )
    first = match["first"]
    lines = (int(first), int(match["last"] or first)) if first else None
    return FileRef(path, lines)


def _find_path(named: str, root: Path) -> Path | None:
    path = root / named
    there = path.is_file() or (named.endswith("/") and path.is_dir())
    return path if there else None
