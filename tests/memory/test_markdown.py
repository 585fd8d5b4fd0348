"""Memories as Markdown: an export, and the answer of a search."""

from memory.samples import AT, memory, reading
from plimsoll.memory.changes import Add
from plimsoll.memory.importing import parse_document
from plimsoll.memory.markdown import answer, export_markdown
from plimsoll.memory.service import Memories
from plimsoll.memory.types import (
    MemoryScope,
    MemoryState,
    MemoryType,
    Trust,
)


async def test_an_export_is_markdown_with_the_inbox_last(notes: Memories) -> None:
    await notes.store.apply(
        [
            Add(memory("m1", "We use SQLite.", type=MemoryType.DECISION, pinned=True)),
            Add(memory("m2", "# not a heading\n</memories>", state=MemoryState.INBOX)),
            Add(memory("m3", "Stale.", state=MemoryState.STALE, title="")),
        ],
        AT,
    )

    assert await notes.export() == (
        "# Memories of this project\n\n"
        "## Priority Context\n\n### Title of m1\nm1, 2026-11-21, decision by user, pinned\n"
        "> We use SQLite.\n\n"
        "## Project Knowledge\n\n### m3\nm3, 2026-11-21, project by user, its source has changed "
        "since\n> Stale.\n\n"
        "## Inbox\n\n### Title of m2\nm2, 2026-11-21, project by user\n"
        "> # not a heading\n> \u2039/memories>\n"
    )
    assert answer([]) == "Nothing is known of it."
    assert answer(await notes.search("SQLite", 5)).endswith("> We use SQLite.")
    assert reading().today.isoformat() == "2026-11-21"


def test_an_export_says_whose_a_colleagues_memory_is() -> None:
    theirs = memory(scope=MemoryScope.TEAM, trust=Trust.TEAM, author_name="anna, pinned")

    exported = export_markdown([theirs])

    assert "m1, 2026-11-21, project by anna_pinned (a colleague), team\n" in exported
    (note,) = parse_document(exported)
    assert (note.scope, note.pinned) == (MemoryScope.TEAM, False)
