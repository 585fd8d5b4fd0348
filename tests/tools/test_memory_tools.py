"""``memory_save`` and ``memory_search``: what they show, and what they leave to the port."""

import pytest

from plimsoll.errors import MemoryRefused, ToolFailed
from plimsoll.tools.base import Place
from plimsoll.tools.memory_save import MemorySave, NoteKept, NotePlan
from plimsoll.tools.memory_search import DEFAULT_LIMIT, MemorySearch


class Notes:
    """Keeps what it is given in a list."""

    def __init__(self, *, waits: bool = False) -> None:
        self.kept: list[NotePlan] = []
        self.searched: list[tuple[str, int]] = []
        self.waits = waits

    async def save(self, note: NotePlan) -> NoteKept:
        if "secret" in note.content:
            raise MemoryRefused("This was not remembered.", remedy="Leave it out.")
        self.kept.append(note)
        return NoteKept("n1", self.waits)

    async def find(self, query: str, limit: int) -> str:
        self.searched.append((query, limit))
        return "> found"


WISH = {"type": "decision", "title": "Store\u202e", "content": "SQLite it is."}


@pytest.mark.parametrize(
    ("waits", "answer"),
    [
        (False, "Remembered. (memory n1)"),
        (True, "It waits in the inbox for the user's review. (memory n1)"),
    ],
)
async def test_a_note_is_kept_and_the_answer_says_whether_it_has_effect(
    place: Place, waits: bool, answer: str
) -> None:
    notes = Notes(waits=waits)
    tool = MemorySave(notes)

    intent = tool.prepare({**WISH, "class": "working"}, place)
    outcome = await tool.run(intent, place)

    assert (intent.title.startswith("Remember Store"), intent.ask) == (True, False)
    assert "\u202e" not in intent.title
    assert notes.kept == [NotePlan("decision", "Store\u202e", "SQLite it is.", "working")]
    assert (outcome.text, outcome.meta) == (answer, {"memoryId": "n1"})


async def test_a_refusal_is_told_to_the_model(place: Place) -> None:
    tool = MemorySave(Notes())
    intent = tool.prepare({**WISH, "content": "a secret"}, place)

    with pytest.raises(ToolFailed, match=r"not remembered\. Leave it out\."):
        await tool.run(intent, place)


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "song"},
        {"class": "gold"},
        {"title": ""},
        {"content": "x" * 4_001},
        {"content": None},
        {"author": "user"},
        {"state": "active"},
        {"pinned": True},
    ],
)
def test_a_model_can_set_nothing_but_what_the_schema_has(
    place: Place, wrong: dict[str, object]
) -> None:
    with pytest.raises(ToolFailed):
        MemorySave(Notes()).prepare({**WISH, **wrong}, place)


async def test_a_search_asks_the_port(place: Place) -> None:
    notes = Notes()
    tool = MemorySearch(notes)

    first = await tool.run(tool.prepare({"query": "harbour"}, place), place)
    await tool.run(tool.prepare({"query": "pier", "limit": 3}, place), place)

    assert first.text == "> found"
    assert notes.searched == [("harbour", DEFAULT_LIMIT), ("pier", 3)]
    for wrong in ({}, {"query": ""}, {"query": "x", "limit": 0}, {"query": "x", "limit": 21}):
        with pytest.raises(ToolFailed):
            tool.prepare(wrong, place)


def test_searching_reads_and_saving_does_not() -> None:
    assert (MemorySearch(Notes()).reading, MemorySave(Notes()).reading) == (True, False)
