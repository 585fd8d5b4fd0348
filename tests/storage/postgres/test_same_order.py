"""The search of a team's server and that of SQLite, over the same memories."""

import re
from pathlib import Path

import pytest

from memory.samples import AT, memory
from plimsoll.memory.changes import Add, Forget, Purge, Revise
from plimsoll.memory.types import Author, MemorySource
from plimsoll.storage.postgres.memories.search import Bounds, candidates

pytestmark = pytest.mark.slow
DOCS = Path(__file__).parents[3] / "docs"
MOST = 400
QUESTIONS = (
    "how are secrets kept out of the log",
    "compaction",
    "undo a reduction",
    "what happens to a pinned text after a compaction",
    "prompt_cache",
    "filename of the spill",
    "line endings of an edit",
    "the model",
    "of the in",
    "when is the summary written",
    "sandbox and network",
    "Speicher der Notizen",
    "xyzzy",
    "session/prompt",
    "token count estimate",
    "hand over to the next session",
    "keyring password proxy certificate",
)


def paragraphs() -> list[tuple[str, str]]:
    """Real prose: paragraphs of this repository's documents, each with where it stands."""
    found = []
    for path in sorted(DOCS.glob("*.md")):
        blocks = re.split(r"\n\s*\n", path.read_text("utf-8"))
        found += [(path.name, block.strip()[:600]) for block in blocks if len(block) > 80]
    return found[:: max(1, len(found) // MOST)][:MOST]


async def fill(store) -> None:
    adds = [
        Add(memory(f"m{n}", text, source=MemorySource(uri=f"file:///{name}")), None, True)
        for n, (name, text) in enumerate(paragraphs())
    ]
    await store.apply(adds, AT)
    names = [each.id for each in (await store.foremost(20))[0]]
    await store.apply([Forget(names[0], Author.USER), Purge(names[1], Author.USER)], AT)
    revised = Revise(id=names[2], author=Author.USER, content="Compaction of zebras.")
    await store.apply([revised], AT)


async def test_of_very_many_the_best_by_rare_words_are_the_same(opened):
    shared = await opened("postgres")
    await fill(shared.memories)
    narrow = Bounds(postings=40, horizon=200, sample=100)

    async def first(project, question: str, bounds: Bounds) -> list[int]:
        return [key for key, _ in (await candidates(project, question, bounds))[:5]]

    async def compare(project) -> list[tuple[list[int], list[int]]]:
        return [
            (await first(project, question, narrow), await first(project, question, Bounds()))
            for question in QUESTIONS
        ]

    pairs = await shared._database.read(compare)

    assert all(bool(near) == bool(all_of_them) for near, all_of_them in pairs)
    same = sum(near[:1] == all_of_them[:1] for near, all_of_them in pairs)
    # How many are the same changes with the documents; by chance it would be hardly one.
    assert same > len(QUESTIONS) / 2


async def test_both_find_the_same_in_the_same_order(opened):
    local, shared = (await opened()).memories, (await opened("postgres")).memories
    await fill(local)
    await fill(shared)

    for question in QUESTIONS:
        ours = [(each.memory.id, each.score) for each in await local.search(question, AT, 20)]
        theirs = [(each.memory.id, each.score) for each in await shared.search(question, AT, 20)]
        assert [name for name, _ in theirs] == [name for name, _ in ours], question
        assert [score for _, score in theirs] == pytest.approx([score for _, score in ours])
