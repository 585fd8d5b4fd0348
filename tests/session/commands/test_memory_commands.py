"""The slash commands of memories: what they show, what they ask, what they do."""

from pathlib import Path

import pytest

from memory.samples import memory
from plimsoll.errors import InvalidInput
from plimsoll.memory.changes import Add
from plimsoll.memory.types import MemoryScope, MemoryState, MemoryType
from plimsoll.session.commands.memory_markdown import NO_TEAM
from session.commands.test_rewinding import typed
from session.harness import Harness, harness

RULE = "We deploy from the branch release, never from main."


async def states(own: Harness) -> dict[str, MemoryState]:
    known = await own.project.environment.memories.store.memories(frozenset(MemoryState))
    return {one.id: one.state for one in known}


async def test_a_pinned_one_is_remembered_pinned(tmp_path: Path) -> None:
    async with harness(tmp_path) as own:
        told = await typed(own, f"/remember --pin {RULE}")
        (kept,) = await own.project.environment.memories.all()
        assert (kept.pinned, kept.content) == (True, RULE)
        assert "pinned" in told
        await typed(own, "/remember --pinned is a word of ours")
        (_, plain) = sorted(await own.project.environment.memories.all(), key=lambda m: -m.pinned)
        assert (plain.pinned, "--pinned" in plain.content) == (False, True)
        with pytest.raises(InvalidInput):
            await typed(own, "/remember --pin")


async def test_a_list_says_type_class_scope_state_and_title(tmp_path: Path) -> None:
    async with harness(tmp_path) as own:
        memories = own.project.environment.memories
        await memories.apply(Add(memory("m1", title="Ports", tags=("net",), importance=4)))
        shown = await typed(own, "/memories")
        assert "`m1` **Ports** (project, durable, private, active, importance 4, #net, " in shown
        assert NO_TEAM not in shown
        team = memory("m2", "Ships.", type=MemoryType.PROCEDURE, scope=MemoryScope.TEAM)
        await memories.apply(Add(team))
        shown = await typed(own, "/memories")
        assert "(procedure, durable, team, active, " in shown
        assert shown.endswith(NO_TEAM)


async def test_a_purge_asks_first_and_does_what_it_said(tmp_path: Path) -> None:
    async with harness(tmp_path) as own:
        await own.project.environment.memories.apply(Add(memory("m-1", RULE, title="Deploys")))
        asked = await typed(own, "/forget --purge m-1")
        assert "Remove **Deploys** for good?" in asked
        assert "`/forget --purge m-1 yes`" in asked
        assert await states(own) == {"m-1": MemoryState.ACTIVE}
        await typed(own, "/forget --purge m-1 no")
        assert await states(own) == {"m-1": MemoryState.ACTIVE}
        assert "Removed for good: **Deploys**" in await typed(own, "/forget --purge m-1 yes")
        assert await states(own) == {}


async def test_what_was_forgotten_can_be_purged(tmp_path: Path) -> None:
    async with harness(tmp_path) as own:
        await own.project.environment.memories.apply(Add(memory("m-1", RULE)))
        await typed(own, "/forget m-1")
        await typed(own, "/forget --purge m-1 yes")
        assert await states(own) == {}


async def test_the_inbox_shows_what_stands_and_what_would(tmp_path: Path) -> None:
    async with harness(tmp_path) as own:
        waiting = memory(
            "n1", "From main.", title="Deploys", state=MemoryState.INBOX, supersedes="m1"
        )
        removal = memory(
            "n2", "", title="No longer so.", state=MemoryState.INBOX, supersedes="m1", removal=True
        )
        await own.project.environment.memories.apply(
            Add(memory("m1", RULE, title="Deploys")), Add(waiting), Add(removal)
        )
        shown = await typed(own, "/inbox")
        assert f"Now:\n```\nDeploys\n{RULE}\n```\nThen:\n```\nFrom main.\n```" in shown
        assert "suggests to forget `m1`" in shown
        assert "Forgotten: `m1`" in await typed(own, "/accept n2")
        assert await states(own) == {
            "m1": MemoryState.FORGOTTEN,
            "n1": MemoryState.INBOX,
            "n2": MemoryState.FORGOTTEN,
        }


async def test_what_an_accepted_removal_hides_leaves_an_open_session(tmp_path: Path) -> None:
    async with harness(tmp_path, {"text": "ok"}) as own:
        memories = own.project.environment.memories
        await memories.apply(Add(memory("m1", RULE, title="Deploys")))
        await own.turn("How do we deploy?")
        fold = own.session.state.log.fold
        assert RULE in (fold.frames["memories"].text or "")
        await memories.apply(
            Add(
                memory(
                    "n1", "", title="No.", state=MemoryState.INBOX, supersedes="m1", removal=True
                )
            )
        )
        await typed(own, "/accept n1")
        assert RULE not in (own.session.state.log.fold.frames["memories"].text or "")
