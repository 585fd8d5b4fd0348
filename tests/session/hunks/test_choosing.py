"""What the agent made is kept or undone hunk by hunk, and the file is what a person chose."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from examples import examples
from plimsoll.context.log.entries import Framed
from plimsoll.session.hunks.choosing import (
    SLOT,
    AgentHunks,
    Chosen,
    FileLeft,
)
from session.checkpoints.acts import edit, opened, rewind_to, turn, write
from session.harness import SECRET, Harness, harness


@dataclass
class Place:
    """A place of a file; between two of them stands a line that nobody edits."""

    text: str | None
    was: str | None
    """What stands there without what the agent did and nobody kept."""


class File:
    """What a file should hold."""

    def __init__(self) -> None:
        self.places = [Place(f"{n}\n", f"{n}\n") for n in range(8)]

    def text(self) -> str:
        return "".join(f"{place.text or ''}-- {n}\n" for n, place in enumerate(self.places))

    def marked(self) -> list[Place]:
        return [place for place in self.places if place.text != place.was]

    def shown(self) -> list[tuple[int, int, str]]:
        found, line = [], 0
        for place in self.places:
            height = (place.text or "").count("\n")
            if place.text != place.was:
                found.append((line, line + height, place.was or ""))
            line += height + 1
        return found


Step = tuple[str, str, int]


def act(files: Mapping[str, File], step: Step, count: int) -> bool:
    """Do a step to what the files should hold; false: there is nothing to choose from."""
    what, name, at = step
    file = files[name]
    if what == "agent":
        for place in (file.places[at % 8], file.places[(at + 3) % 8]):
            place.text = None if at % 3 == 0 else f"agent {count}\n" * (at % 2 + 1)
    elif what == "person":
        place = file.places[at % 8]
        place.text = place.was = f"person {count}\n"
    elif not file.marked():
        return False
    else:
        chosen = file.marked() if what.endswith("all") else [file.marked()[at % len(file.marked())]]
        for place in chosen:
            if what.startswith("keep"):
                place.was = place.text
            else:
                place.text = place.was
    return True


def new_files() -> dict[str, File]:
    return {"a.txt": File(), "b.txt": File()}


def steps_of(seed: int) -> list[Step]:
    choose = random.Random(seed)
    kinds = ["agent", "agent", "person", "keep", "undo", "keep all", "undo all"]
    weights = [3, 3, 3, 3, 3, 1, 1]
    drawn = choose.choices(kinds, weights, k=9)
    return [("agent", "a.txt", seed)] + [
        (kind, choose.choice(["a.txt", "b.txt"]), choose.randrange(24)) for kind in drawn
    ]


async def shown(own: Harness, name: str) -> list[tuple[int, int, str]]:
    listed = {
        each.path.name: each.hunks for each in await AgentHunks(own.session.state).open_hunks()
    }
    return [(hunk.start, hunk.end, hunk.old) for hunk in listed.get(name, ())]


def told(own: Harness) -> list[str]:
    frames = (entry for entry in own.entries if isinstance(entry, Framed))
    return [frame.text or "" for frame in frames if frame.slot == SLOT]


async def chosen_of(own: Harness, path: Path, place: int | None) -> Chosen:
    if place is None:
        return Chosen(path)
    (file,) = [
        each for each in await AgentHunks(own.session.state).open_hunks() if each.path == path
    ]
    return Chosen(path, {file.hunks[place].id})


@pytest.mark.slow
@pytest.mark.parametrize("first", range(2))
async def test_any_mix_of_turns_own_edits_and_choices_leaves_what_was_chosen(tmp_path, first):
    for seed in range(first, examples(60), 2):
        folder = tmp_path / str(seed)
        steps, files, script = steps_of(seed), new_files(), []
        for count, step in enumerate(steps):
            if act(files, step, count) and step[0] == "agent":
                script += turn(write(step[1], files[step[1]].text()))
        async with harness(folder, *script, files=True) as own:
            await play(own, steps)


async def play(own: Harness, steps: list[Step]) -> None:
    files, undone = new_files(), 0
    for name, file in files.items():
        (own.folder / name).write_text(file.text())
    for count, step in enumerate(steps):
        what, name, at = step
        path, marked = own.folder / name, files[name].marked()
        before = files[name].text()
        if not act(files, step, count):
            continue
        after = files[name].text()
        if what == "agent":
            await own.turn(f"Turn {count}.")
        elif what == "person":
            path.write_text(after)
        else:
            place = None if what.endswith("all") else at % len(marked)
            chosen = await chosen_of(own, path, place)
            if what.startswith("keep"):
                await AgentHunks(own.session.state).keep(chosen)
                assert before == after
            else:
                assert await AgentHunks(own.session.state).undo(chosen) == []
                undone += 1
        assert path.read_text() == after, step
        for each, file in files.items():
            assert await shown(own, each) == file.shown(), step
        assert len(told(own)) == undone
    await own.consistent()


async def test_what_a_person_edited_of_a_hunk_is_theirs(tmp_path):
    steps = turn(write("a.txt", "1\n2\n3\nmiddle\n4\n"))
    async with harness(tmp_path, *steps, files=True) as own:
        path = own.folder / "a.txt"
        path.write_text("middle\n")
        await own.turn("Count.")
        assert await shown(own, "a.txt") == [(0, 3, ""), (4, 5, "")]
        path.write_text("1\n2 by hand\n3\nmiddle\n4\nend\n")
        assert await shown(own, "a.txt") == [(4, 5, "")]
        assert await AgentHunks(own.session.state).undo(Chosen()) == []
        assert path.read_text() == "1\n2 by hand\n3\nmiddle\nend\n"
        (words,) = told(own)
        assert words.startswith("[The user undid parts of your changes: a.txt (at line 5). What")
        # It stands in the next request.
        assert words in [shown.part.text for shown in own.session.state.log.fold.view.items()]


async def test_a_file_that_the_agent_made_is_removed_with_its_only_hunk(tmp_path):
    async with opened(tmp_path, *turn(write("new/a.txt", "one\ntwo\n")), files=True) as own:
        await own.turn("Write.")
        assert await shown(own, "a.txt") == [(0, 2, "")]
        assert await AgentHunks(own.session.state).undo(Chosen()) == []
        assert not (own.folder / "new/a.txt").exists()
        assert await AgentHunks(own.session.state).open_hunks() == []
        went = await rewind_to(own)
        assert went.restored is not None
        assert went.restored.files == ()


async def test_going_back_marks_nothing_and_knows_what_was_undone(tmp_path):
    steps = (*turn(write("a.txt", "A\n-\nB\n")), *turn(edit("a.txt", "B", "C")))
    async with harness(tmp_path, *steps, files=True) as own:
        path = own.folder / "a.txt"
        path.write_text("a\n-\nb\n")
        await own.turn("Raise.")
        await own.turn("Again.")
        assert await shown(own, "a.txt") == [(0, 1, "a\n"), (2, 3, "b\n")]
        await AgentHunks(own.session.state).keep(await chosen_of(own, path, 0))
        assert await AgentHunks(own.session.state).undo(Chosen()) == []
        assert path.read_text() == "A\n-\nb\n"
        await rewind_to(own)
        assert path.read_text() == "a\n-\nb\n"
        assert await AgentHunks(own.session.state).open_hunks() == []


async def test_what_cannot_be_undone_stays_and_is_named(tmp_path):
    async with harness(tmp_path, *turn(write("a.txt", "A\n")), files=True) as own:
        path = own.folder / "a.txt"
        path.write_text("a\n")
        await own.turn("Raise.")
        own.trust[0] = False
        left = await AgentHunks(own.session.state).undo(Chosen())
        assert left == [FileLeft(path, "The folder is not trusted.")]
        assert await shown(own, "a.txt") == [(0, 1, "a\n")]
        own.trust[0] = True
        path.write_text(f"A\n{SECRET}\n")
        # No copy is kept of a secret; what is chosen is done all the same.
        assert await AgentHunks(own.session.state).undo(Chosen()) == []
        assert path.read_text() == f"a\n{SECRET}\n"


async def test_a_fork_knows_the_hunks_too(tmp_path):
    async with harness(tmp_path, *turn(write("a.txt", "A\n-\nB\n")), files=True) as own:
        path = own.folder / "a.txt"
        path.write_text("a\n-\nb\n")
        await own.turn("Raise.")
        await AgentHunks(own.session.state).keep(await chosen_of(own, path, 0))
        fork = await own.project.fork(own.session.id)
        listed = await AgentHunks(fork.state).open_hunks()
        assert [hunk.old for file in listed for hunk in file.hunks] == ["b\n"]
