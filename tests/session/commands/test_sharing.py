"""Sharing a memory on a person's word: with whom it may be shared, and by whom."""

from pathlib import Path

import pytest

from memory.samples import memory
from plimsoll.errors import InvalidInput, NotFound
from plimsoll.memory.changes import Add
from plimsoll.memory.types import Author, Memory, MemoryScope, MemoryState, MemoryType, Trust
from plimsoll.session.ports.environment import OtherSchemas
from plimsoll.storage.shared.operations import Done, ForgetMemory, ShareMemory
from plimsoll.storage.shared.status import TeamState, TeamStatus
from plimsoll.storage.shared.team import NoTeam
from plimsoll.tools.conversation.memory_save import SHARING_SCHEMA, MemorySave
from session.commands.test_rewinding import typed
from session.harness import Harness, harness
from storage.shared.samples import HARBOUR

RULE = "We deploy from the branch release, never from main."


class Joined(NoTeam):
    """A folder's part in a project, without a server."""

    def __init__(self) -> None:
        self.woken = 0

    def status(self) -> TeamStatus:
        return TeamStatus(state=TeamState.OK, project="harbour")

    def wake(self) -> None:
        self.woken += 1


async def kept(own: Harness, memory_id: str) -> Memory:
    return await own.project.environment.memories.store.get(memory_id)


async def test_a_memory_is_shared_with_whom_a_person_says(tmp_path: Path) -> None:
    team = Joined()
    async with harness(tmp_path, team=team) as own:
        await own.project.environment.memories.apply(Add(memory("m-1", title="Deploys")))
        begun = team.woken

        assert await typed(own, "/share m-1") == (
            "Shared with the team: **Deploys**. `/share m-1 private` undoes it."
        )
        assert (await kept(own, "m-1")).scope is MemoryScope.TEAM
        assert "your other machines" in await typed(own, "/share m-1 mine")
        assert (await kept(own, "m-1")).scope is MemoryScope.MINE
        assert "Yours alone again" in await typed(own, "/share m-1 private")
        assert (await kept(own, "m-1")).scope is MemoryScope.PRIVATE
        assert team.woken == begun + 3


async def test_what_was_taken_back_is_shared_anew_under_another_id(tmp_path: Path) -> None:
    async with harness(tmp_path, team=Joined()) as own:
        replica, memories = own.store.replica, own.project.environment.memories
        await replica.join(HARBOUR)
        await memories.apply(Add(memory("m-1", author=Author.AGENT, trust=Trust.AGENT)))
        for words in ("/share m-1", "/share m-1 private"):
            await typed(own, words)
            (sent,) = await replica.read_queued()
            await replica.settle(sent, Done(1), "2026-11-27T10:00:00Z")

        await typed(own, "/share m-1")

        (anew,) = await memories.all()
        assert (anew.id != "m-1", anew.scope, anew.version) == (True, MemoryScope.TEAM, None)
        assert [each.operation for each in await replica.read_queued()] == [ShareMemory(anew)]


async def test_nothing_is_shared_where_no_team_is_joined(tmp_path: Path) -> None:
    async with harness(tmp_path) as own:
        await own.project.environment.memories.apply(Add(memory("m-1")))

        with pytest.raises(InvalidInput, match="takes part in no team"):
            await typed(own, "/share m-1")

        assert (await kept(own, "m-1")).scope is MemoryScope.PRIVATE
        assert "Yours alone again" in await typed(own, "/share m-1 private")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (memory("m1", state=MemoryState.INBOX), "has no effect: it is inbox"),
        (memory("m1", type=MemoryType.USER), "is never for a team"),
        (memory("m1", author_name="bert", trust=Trust.TEAM), "bert shared this memory"),
    ],
)
async def test_what_cannot_be_shared_says_why(tmp_path: Path, given: Memory, why: str) -> None:
    async with harness(tmp_path, team=Joined()) as own:
        await own.project.environment.memories.apply(Add(given))

        with pytest.raises(InvalidInput, match=why):
            await typed(own, "/share m1")

        assert (await kept(own, "m1")).scope is given.scope


async def test_a_word_that_names_nobody_and_an_id_that_is_not_there_are_refused(
    tmp_path: Path,
) -> None:
    async with harness(tmp_path, team=Joined()) as own:
        await own.project.environment.memories.apply(Add(memory("m1")))

        with pytest.raises(InvalidInput, match="nobody called 'everyone'"):
            await typed(own, "/share m1 everyone")
        with pytest.raises(NotFound):
            await typed(own, "/share m2")


WISH = {
    "name": "memory_save",
    "arguments": {"type": "project", "title": "Deploys", "content": RULE, "scope": "team"},
}
SHARING = OtherSchemas(sharing=(SHARING_SCHEMA,))
STEPS = ({"calls": [WISH]}, {"text": "Noted."})


async def test_what_the_agent_wants_shared_waits_until_a_person_accepts_it(tmp_path: Path) -> None:
    async with harness(tmp_path, *STEPS, team=Joined(), schemas=SHARING) as own:
        await own.store.replica.join(HARBOUR)
        await own.turn(RULE)
        (waiting,) = await own.project.environment.memories.inbox()
        assert (waiting.scope, waiting.trust) == (MemoryScope.TEAM, Trust.AGENT)
        assert await own.store.replica.count_queued() == 0

        await typed(own, f"/accept {waiting.id}")

        (sent,) = await own.store.replica.read_queued()
        assert isinstance(sent.operation, ShareMemory)
        assert sent.operation.memory.content == RULE


async def test_the_agent_is_asked_for_no_scope_where_no_team_is_joined(tmp_path: Path) -> None:
    schemas = {}
    for joined in (Joined(), NoTeam()):
        folder = tmp_path / str(len(schemas))
        async with harness(folder, {"text": "ok"}, team=joined, schemas=SHARING) as own:
            await own.turn("Hello.")
            (offered,) = (
                each for each in own.provider.requests[0].tools if each.name == "memory_save"
            )
            schemas[type(joined)] = offered

    assert schemas == {Joined: SHARING_SCHEMA, NoTeam: MemorySave.schema}
    assert "scope" not in str(MemorySave.schema.parameters)


async def test_forgetting_what_others_have_asks_first(tmp_path: Path) -> None:
    async with harness(tmp_path, team=Joined()) as own:
        await own.store.replica.join(HARBOUR)
        memories = own.project.environment.memories
        await memories.apply(Add(memory("m-1", title="Deploys", scope=MemoryScope.TEAM)))

        assert "`/forget m-1 yes` does it." in await typed(own, "/forget m-1")
        assert (await kept(own, "m-1")).state is MemoryState.ACTIVE
        assert "waits to be sent" in await typed(own, "/memories")
        assert "Removed for good, for all who had it" in await typed(own, "/forget m-1 yes")

        with pytest.raises(NotFound):
            await kept(own, "m-1")
        (sent,) = await own.store.replica.read_queued()
        assert sent.operation == ForgetMemory("m-1")
