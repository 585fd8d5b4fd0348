"""The changes of the folder as a text: the names of all files, then what fits of the diffs."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.errors import InvalidInput, ToolFailed
from plimsoll.session.ports.content import Attachable, Content, Excerpt, RepositoryChanges
from plimsoll.session.reduction.ingest import shorten_attached
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.repository import DiffOfFiles, WorkingChanges

MOST_NAMES = 100
"""Names of one list; a diff of more files is one that nobody reads whole."""
Shorten = Callable[[str], str]
"""Cuts a text to what may go along with a prompt, and says in it what was left out."""


async def read_changes(
    content: Sequence[Content], context: CallContext, request: NextRequest
) -> tuple[Attachable, ...]:
    """Read the changes of the folder, on a thread, where a prompt names them.

    Raises:
        InvalidInput: There are no changes, or they cannot be read.
    """
    return tuple(
        [
            await asyncio.to_thread(
                _excerpt,
                context,
                partial(shorten_attached, next_request=request),
            )
            if isinstance(each, RepositoryChanges)
            else each
            for each in content
        ]
    )


def changes_of(context: CallContext, named: str) -> WorkingChanges:
    """Return git's working changes; ``named``: the words by which a person asked. Blocks.

    Raises:
        InvalidInput: The folder is not trusted, or git cannot say.
    """
    if not context.trusted():
        raise InvalidInput(
            f"{named}: git is not run in a folder that is not trusted.",
            remedy="Trust the folder first, or paste the diff.",
        )
    try:
        return context.repository.changes()
    except ToolFailed as error:
        raise InvalidInput(f"{named}: {error.message}") from error


def _excerpt(context: CallContext, shorten: Shorten) -> Excerpt:
    changes = changes_of(context, "@changes")
    counts = {
        "staged": len(changes.staged.names),
        "not staged": len(changes.unstaged.names),
        "untracked": len(changes.untracked),
    }
    said = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)
    if not said:
        raise InvalidInput(
            "@changes: nothing is changed in this folder since the last commit.",
            remedy="Leave it out, or attach the files that you mean.",
        )
    return Excerpt(f"changes: {said}", changes_text(changes, shorten))


def changes_text(changes: WorkingChanges, shorten: Shorten) -> str:
    """Write the changes: lists of names, then the diffs, shortened."""
    lists = [*_lists(changes)]
    diffs = "\n".join(
        f"# Diff of what is {what}\n{files.diff}"
        for what, files in (("staged", changes.staged), ("not staged", changes.unstaged))
        if files.diff
    )
    return "\n".join(filter(None, (*lists, shorten(diffs) if diffs else "")))


def _lists(changes: WorkingChanges) -> Iterator[str]:
    yield _list_names("Staged", changes.staged.names)
    yield _list_names("Not staged", changes.unstaged.names)
    yield _list_names("Untracked, names alone", changes.untracked)
    yield _list_names("Left out, as their names are those of files with secrets", changes.withheld)


def _list_names(title: str, names: Sequence[str]) -> str:
    if not names:
        return ""
    more = len(names) - MOST_NAMES
    rows = [*names[:MOST_NAMES], *([f"[{more:,} more are not listed]"] if more > 0 else [])]
    return "\n".join((f"# {title}", *rows))


def diff_for_commit(changes: WorkingChanges) -> DiffOfFiles:
    """Return the diff for a commit: of staged changes, else of all changes in tracked files."""
    return changes.staged if changes.staged.names else changes.unstaged
