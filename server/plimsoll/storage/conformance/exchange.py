"""Checks of what machines exchange with a team's server: operations, each once, and news."""

from dataclasses import replace

from plimsoll.memory.types import MemoryState, MemoryType
from plimsoll.storage.conformance.base import MARK, SECRET
from plimsoll.storage.conformance.teams import (
    MINE,
    OpenTeam,
    TeamCheck,
    everything,
    note,
    pin,
    push,
    role_of,
    texts,
    with_key,
)
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    Done,
    ForgetMemory,
    Gone,
    KnownAs,
    NotAllowed,
    Overtaken,
    RemovePin,
    ShareMemory,
    SharePin,
)


async def check_what_one_shares_the_other_reads_with_its_author(open_team: OpenTeam) -> None:
    """A member reads what another one has shared, with the author's name."""
    ada, bob = await open_team("ada"), await open_team("bob")
    shared = note(tags=("crane",), importance=4, pinned=True)

    assert await push(ada, ShareMemory(shared)) == Done(1)

    [seen] = (await bob.news(0)).memories
    assert (seen.author_name, seen.is_own, seen.version) == (await role_of(ada), False, 1)
    assert seen.written_by is None
    assert seen.memory == replace(shared, author_name=await role_of(ada), version=1)
    [own] = (await ada.news(0)).memories
    assert own.is_own
    assert own.memory == replace(shared, version=1)


async def check_what_is_mine_reaches_my_other_machine_and_nobody_else(open_team: OpenTeam) -> None:
    """A memory of scope ``mine`` reaches the person's other machines, and no other person."""
    laptop, desk = await open_team("ada"), await open_team("ada", "desk")
    bob = await open_team("bob")
    mine = note("k1", scope=MINE, type=MemoryType.USER)

    await push(laptop, ShareMemory(mine))
    await push(laptop, SharePin(pin(scope=MINE)))

    news = await desk.news(0)
    assert [each.memory.id for each in news.memories] == ["k1"]
    assert [each.pin.id for each in news.pins] == ["p1"]
    assert (await bob.news(0)).is_empty
    assert (await bob.news(0)).position == news.position


async def check_two_who_change_one_memory_get_both_texts(open_team: OpenTeam) -> None:
    """Of two members who change one memory at once, both texts are kept."""
    ada, bob = await open_team("ada"), await open_team("bob")
    await push(ada, ShareMemory(note()))
    await push(bob, ChangeMemory(note(content="The crane lifts fifty tons of cargo."), 1))

    late = note(content="The crane lifts sixty tons of cargo.")
    outcome = await push(ada, ChangeMemory(late, 1))

    assert isinstance(outcome, Overtaken)
    assert outcome.current.memory.content == "The crane lifts fifty tons of cargo."
    assert (outcome.current.version, outcome.current.written_by) == (2, await role_of(bob))
    assert outcome.current.author_name == await role_of(ada)
    assert [each.written_by for each in (await bob.news(0)).memories] == [None, None]
    third = (await (await open_team("cy")).news(0)).memories
    assert [each.written_by for each in third] == [await role_of(bob), None]
    suggested = outcome.suggestion.memory
    assert suggested.content == "The crane lifts sixty tons of cargo."
    assert (suggested.supersedes, suggested.state) == ("k1", MemoryState.INBOX)
    assert outcome.suggestion.is_own
    # Sent once more, it is the same suggestion, and what was changed alike is no conflict.
    assert await push(ada, ChangeMemory(late, 1)) == outcome
    alike = note(content="The crane lifts fifty tons of cargo.")
    assert await push(ada, ChangeMemory(alike, 1)) == Done(2)
    assert set(await texts(bob)) == {"k1", suggested.id}

    assert await push(bob, ShareMemory(replace(suggested, state=MemoryState.ACTIVE))) == Done(2)
    states = {each.memory.id: each.memory.state for each in (await everything(ada)).memories}
    assert states == {"k1": MemoryState.ACTIVE, suggested.id: MemoryState.ACTIVE}


async def check_what_is_forgotten_leaves_at_once_and_never_comes_back(open_team: OpenTeam) -> None:
    """A forgotten memory leaves the server at once, and no later change brings it back."""
    ada, bob = await open_team("ada"), await open_team("bob")
    await push(ada, ShareMemory(note(content="The safe opens with seven turns.")))
    await push(bob, ChangeMemory(note(content="The safe opens with nine turns."), 1))
    late = note(content="The safe opens with eight turns.")
    overtaken = await push(ada, ChangeMemory(late, 1))
    assert isinstance(overtaken, Overtaken)

    assert isinstance(await push(bob, ForgetMemory("k1")), NotAllowed)
    assert await push(ada, ForgetMemory("k1")) == Done()
    assert await push(ada, ForgetMemory("k1")) == Done()
    assert await push(ada, ForgetMemory(overtaken.suggestion.memory.id)) == Done()

    assert await push(bob, ChangeMemory(late, 2)) == Gone()
    assert await push(ada, ShareMemory(note())) == Gone()
    news = await bob.news(0)
    assert (news.memories, set(news.forgotten)) == ([], {"k1", overtaken.suggestion.memory.id})


async def check_an_admin_removes_what_anybody_has_shared(open_team: OpenTeam) -> None:
    """An admin may remove the shared memories and pins of every member."""
    owner, ada = await open_team("owner"), await open_team("ada")
    await push(ada, ShareMemory(note()))
    await push(ada, SharePin(pin()))

    assert await push(owner, ForgetMemory("k1")) == Done()
    assert await push(owner, RemovePin("p1")) == Done()

    news = await ada.news(0)
    assert (news.memories, news.pins) == ([], [])


async def check_the_same_text_is_kept_once(open_team: OpenTeam) -> None:
    """The same text is kept once."""
    ada, bob = await open_team("ada"), await open_team("bob")
    text = "Ships moor at the eastern pier on Mondays."
    await push(ada, ShareMemory(note("k1", text)))

    assert await push(bob, ShareMemory(note("k2", text.upper()))) == KnownAs("k1")
    assert await push(bob, ShareMemory(note("k3", text, scope=MINE))) == KnownAs("k1")
    await push(ada, SharePin(pin("p1")))
    assert await push(bob, SharePin(pin("p2"))) == KnownAs("p1")

    # What somebody has for themselves is nobody's duplicate, and not the team's either.
    await push(ada, ShareMemory(note("k4", "The tide turns at noon today.", scope=MINE)))
    assert await push(bob, ShareMemory(note("k5", "The tide turns at noon today."))) == Done(1)
    assert await push(ada, ShareMemory(note("k6", "The tide turns at noon today."))) == KnownAs(
        "k5"
    )


async def check_what_was_mine_becomes_the_teams(open_team: OpenTeam) -> None:
    """A memory of scope ``mine`` can be changed to scope ``team``, and members then get it."""
    ada, bob = await open_team("ada"), await open_team("bob")
    await push(ada, ShareMemory(note(scope=MINE)))
    before = (await bob.news(0)).position

    assert await push(ada, ChangeMemory(note(), 1)) == Done(2)

    assert [each.version for each in (await bob.news(before)).memories] == [2]


async def check_a_pin_is_shared_once_and_removed_for_good(open_team: OpenTeam) -> None:
    """A pin is shared once without secrets and removed for good."""
    ada, bob = await open_team("ada"), await open_team("bob")

    assert await push(ada, SharePin(pin(text=f"Sign with {SECRET}."))) == Done()
    assert await push(ada, SharePin(pin())) == Done()

    [seen] = (await bob.news(0)).pins
    assert seen.pin.text == f"Sign with {MARK}."
    assert (seen.author_name, seen.is_own) == (await role_of(ada), False)
    assert isinstance(await push(bob, RemovePin("p1")), NotAllowed)
    assert await push(ada, RemovePin("p1")) == Done()
    assert await push(bob, SharePin(pin())) == Gone()
    assert await push(bob, RemovePin("p1")) == Done()
    assert (await bob.news(0)).removed_pins == ["p1"]


async def check_an_operation_of_one_key_is_done_once(open_team: OpenTeam) -> None:
    """An operation that is sent twice under one key is done once."""
    ada, bob = await open_team("ada"), await open_team("bob")
    share, change = with_key(ShareMemory(note())), with_key(ChangeMemory(note(title="New"), 1))

    assert [await ada.push(share) for _ in range(3)] == [Done(1)] * 3
    assert [await ada.push(change) for _ in range(2)] == [Done(2)] * 2
    # A colleague who knows the key has one of their own.
    other = replace(change, operation=ChangeMemory(note(title="Newer"), 2))
    assert await bob.push(other) == Done(3)
    late = with_key(ChangeMemory(note(title="Late"), 1))
    first = await ada.push(late)
    assert isinstance(first, Overtaken)
    assert await ada.push(late) == first
    await push(ada, ForgetMemory("k1"))
    assert await ada.push(late) == Gone()
    assert await ada.push(share) == Done(1)


async def check_a_server_that_was_set_back_gets_the_persons_own_again(open_team: OpenTeam) -> None:
    """A server that lost a memory by a restored backup gets it again, if it is the person's own."""
    ada = await open_team("ada")

    assert await push(ada, ChangeMemory(note(), 7)) == Done(8)

    colleagues = note("k2", author_name=await role_of(await open_team("bob")))
    assert await push(ada, ChangeMemory(colleagues, 7)) == Gone()
    assert await push(ada, ForgetMemory("k3")) == Done()


async def check_news_comes_in_pages(open_team: OpenTeam) -> None:
    """News comes in pages of about the size that is asked for."""
    team = await open_team("ada")
    for number in range(5):
        await push(team, ShareMemory(note(f"k{number}")))
        await push(team, SharePin(pin(f"p{number}", f"Pin {number}.")))

    first = await team.news(0, 4)

    assert ([each.memory.id for each in first.memories], first.more) == (["k0", "k1"], True)
    assert [each.pin.id for each in first.pins] == ["p0", "p1"]
    rest = await team.news(first.position)
    assert ([each.memory.id for each in rest.memories], rest.more) == (["k2", "k3", "k4"], False)
    assert await team.news(rest.position) == News(position=rest.position)
    assert (await team.news(rest.position + 5)).memories == (await team.news(0)).memories


async def check_the_order_of_news_hangs_on_no_clock(open_team: OpenTeam) -> None:
    """News comes in the order in which it was pushed, whatever the machines' clocks say."""
    ahead, behind = await open_team("ada"), await open_team("bob")
    await push(ahead, ShareMemory(note("k1", created_at="2041-01-01T00:00:00.000Z")))
    position = (await behind.news(0)).position
    await push(behind, ShareMemory(note("k2", created_at="2001-01-01T00:00:00.000Z")))
    await push(ahead, ShareMemory(note("k3", created_at="2041-01-01T00:00:00.000Z")))

    assert [each.memory.id for each in (await ahead.news(0)).memories] == ["k1", "k2", "k3"]
    assert [each.memory.id for each in (await behind.news(position)).memories] == ["k2", "k3"]


EXCHANGE: tuple[TeamCheck, ...] = (
    check_what_one_shares_the_other_reads_with_its_author,
    check_what_is_mine_reaches_my_other_machine_and_nobody_else,
    check_two_who_change_one_memory_get_both_texts,
    check_what_is_forgotten_leaves_at_once_and_never_comes_back,
    check_an_admin_removes_what_anybody_has_shared,
    check_the_same_text_is_kept_once,
    check_what_was_mine_becomes_the_teams,
    check_a_pin_is_shared_once_and_removed_for_good,
    check_an_operation_of_one_key_is_done_once,
    check_a_server_that_was_set_back_gets_the_persons_own_again,
    check_news_comes_in_pages,
    check_the_order_of_news_hangs_on_no_clock,
)
"""What a team's server must pass when machines push and ask for news."""
