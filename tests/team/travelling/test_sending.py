"""A session is handed over between two machines, with a server in memory."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from plimsoll.errors import NotFound, StoreUnavailable
from plimsoll.storage.base import SessionRecord
from plimsoll.storage.shared.travel import CameFrom, Elsewhere
from plimsoll.storage.shared.travelling import SessionPlaces
from plimsoll.team.travelling.bringing import PARTED
from plimsoll.team.travelling.sending import ENTRIES_AT_ONCE
from storage.samples import record, said
from team.travelling.machines_at_sea import Harbour, Machine

ENTRIES = [said(f"m{n}") for n in range(4)]
USED = record("one", turns=1)


@pytest.fixture
def harbour() -> Harbour:
    return Harbour()


@pytest.fixture
async def galley(harbour: Harbour) -> AsyncIterator[Machine]:
    machine = Machine(harbour, "galley")
    yield machine
    await machine.close()


@pytest.fixture
async def bridge(harbour: Harbour) -> AsyncIterator[Machine]:
    machine = Machine(harbour, "bridge")
    yield machine
    await machine.close()


async def test_a_log_is_sent_as_it_grows_under_a_lease_while_it_is_shown(
    harbour: Harbour, galley: Machine
):
    await galley.store.create(USED, ENTRIES[:2])
    galley.screen.shown.add("one")
    await galley.send()
    assert harbour.logs["one"].entries == ENTRIES[:2]
    assert harbour.logs["one"].holder == galley.label
    await galley.write("one", *ENTRIES[2:])
    await galley.send()
    assert harbour.logs["one"].entries == ENTRIES
    assert await galley.places("one") == SessionPlaces(id="one", here=4, sent=4, fence=1)
    galley.screen.shown.clear()
    await galley.send()
    assert harbour.logs["one"].holder is None
    assert await galley.places("one") == SessionPlaces(id="one", here=4, sent=4)


async def test_a_session_in_which_nothing_was_said_is_not_sent(harbour: Harbour, galley: Machine):
    await galley.store.create(record("one"), ENTRIES[:2])
    galley.screen.shown.add("one")
    await galley.send()
    assert harbour.logs == {}


async def test_what_was_sent_before_a_cut_is_not_sent_twice(harbour: Harbour, galley: Machine):
    await galley.store.create(USED, ENTRIES)
    # The server has them, and the answer was lost.
    await galley.server.sessions.ship(USED, ENTRIES[:3], 0, None)
    await galley.send()
    assert harbour.logs["one"].entries == ENTRIES
    assert await galley.places("one") == SessionPlaces(id="one", here=4, sent=4)


async def test_a_long_log_goes_in_pieces(harbour: Harbour, galley: Machine):
    many = [said(f"m{n}") for n in range(2 * ENTRIES_AT_ONCE + 1)]
    await galley.store.create(USED, many)
    await galley.send()
    assert harbour.logs["one"].entries == many


async def test_a_session_is_handed_over_and_back(
    harbour: Harbour, galley: Machine, bridge: Machine
):
    await galley.store.create(USED, ENTRIES[:2])
    await galley.send()
    await bridge.hear()
    here = record("one", turns=1)
    at_bridge = Elsewhere(_in(here, bridge), "galley")
    assert list(await bridge.travel.elsewhere()) == [at_bridge]
    await bridge.travel.bring("one")
    assert await bridge.store.entries("one") == ENTRIES[:2]
    assert await bridge.store.get("one") == _in(here, bridge)
    assert await bridge.travel.came_from("one") == CameFrom(
        machine="galley", here="bridge", workspace="file:///w"
    )
    bridge.screen.shown.add("one")
    await bridge.write("one", ENTRIES[2])
    await bridge.send()
    assert await bridge.travel.came_from("one") is None
    # Back: the other machine shows it as somebody else's until that one lets go.
    await galley.hear()
    await galley.travel.bring("one")
    assert await galley.store.entries("one") == ENTRIES[:3]
    assert galley.travel.held_by("one") == "bridge"
    bridge.screen.shown.clear()
    await bridge.send()
    galley.screen.shown.add("one")
    await galley.send()
    assert galley.travel.held_by("one") is None
    await galley.write("one", ENTRIES[3])
    await galley.send()
    assert harbour.logs["one"].entries == ENTRIES
    assert galley.screen.told == bridge.screen.told == []


async def test_a_person_takes_over_what_another_machine_writes(
    harbour: Harbour, galley: Machine, bridge: Machine
):
    await galley.store.create(USED, ENTRIES[:2])
    galley.screen.shown.add("one")
    await galley.send()
    await bridge.hear()
    await bridge.travel.bring("one")
    assert bridge.travel.held_by("one") == "galley"
    await bridge.travel.bring("one", force=True)
    assert bridge.travel.held_by("one") is None
    bridge.screen.shown.add("one")
    await bridge.write("one", ENTRIES[2])
    await bridge.send()
    # The first machine learns of it, and follows.
    await galley.send()
    await galley.send()
    assert galley.travel.held_by("one") == "bridge"
    assert await galley.store.entries("one") == ENTRIES[:3]
    assert galley.screen.told == []


async def test_what_was_written_while_another_machine_went_on_is_a_session_of_its_own(
    harbour: Harbour, galley: Machine, bridge: Machine
):
    await galley.store.create(USED, ENTRIES[:2])
    galley.screen.shown.add("one")
    await galley.send()
    await bridge.hear()
    harbour.expire("one")
    await bridge.travel.bring("one")
    bridge.screen.shown.add("one")
    await bridge.write("one", ENTRIES[2])
    await bridge.send()
    own = said("own")
    await galley.write("one", own)
    await galley.send()
    assert harbour.logs["one"].entries == ENTRIES[:3]
    assert await galley.store.entries("one") == ENTRIES[:3]
    branch = next(each for each in await galley.store.sessions() if each.id != "one")
    assert branch.title == "A title (on galley)"
    assert await galley.store.entries(branch.id) == [*ENTRIES[:2], own]
    told = PARTED.format(there="bridge", title="A title (on galley)")
    assert galley.screen.told == [("one", told)]
    # It travels as a session of its own.
    await galley.send()
    assert harbour.logs[branch.id].entries == [*ENTRIES[:2], own]


async def test_nothing_is_parted_while_a_turn_runs(
    harbour: Harbour, galley: Machine, bridge: Machine
):
    await galley.store.create(USED, ENTRIES[:2])
    await galley.send()
    await bridge.hear()
    await bridge.travel.bring("one")
    await bridge.write("one", ENTRIES[2])
    await bridge.send()
    lease = await galley.store.acquire("one")
    await galley.write("one", said("own"))
    await galley.send()
    assert await galley.store.entries("one") == [*ENTRIES[:2], said("own")]
    await galley.store.release(lease)
    await galley.send()
    assert await galley.store.entries("one") == ENTRIES[:3]
    assert len(await galley.store.sessions()) == 2


async def test_a_lease_that_ran_out_is_taken_again(harbour: Harbour, galley: Machine):
    await galley.store.create(USED, ENTRIES[:2])
    galley.screen.shown.add("one")
    await galley.send()
    harbour.expire("one")
    await galley.write("one", ENTRIES[2])
    await galley.send()
    assert harbour.logs["one"].entries == ENTRIES[:3]
    assert harbour.logs["one"].holder == galley.label


async def test_a_server_that_is_away_keeps_nobody_from_what_is_here(
    harbour: Harbour, galley: Machine, bridge: Machine
):
    await galley.store.create(USED, ENTRIES[:2])
    await galley.send()
    await bridge.hear()
    await bridge.travel.bring("one")
    await bridge.write("one", ENTRIES[2])
    await bridge.send()
    await galley.store.create(record("two", turns=1, title="Other"), ENTRIES)
    await galley.send()
    await bridge.hear()
    harbour.is_away = True
    await galley.travel.bring("one")
    assert await galley.store.entries("one") == ENTRIES[:2]
    with pytest.raises(StoreUnavailable) as away:
        await bridge.travel.bring("two")
    assert away.value.message == (
        "The session “Other” is on galley, and the team's server cannot be used: The team's server "
        "does not answer."
    )
    assert away.value.remedy == "Wait for it."


async def test_what_was_deleted_elsewhere_is_deleted_here_unless_it_is_shown(
    harbour: Harbour, galley: Machine
):
    for name in ("one", "two"):
        await galley.store.create(record(name, turns=1), ENTRIES[:2])
    await galley.send()
    harbour.deleted |= {"one", "two"}
    galley.screen.shown.add("two")
    await galley.write("two", ENTRIES[2])
    await galley.send()
    await galley.send()
    assert set(galley.screen.removed) == {"one"}
    kept = await galley.places("two")
    assert (kept.stays, kept.here) == (True, 3)


async def test_one_that_was_deleted_is_not_brought(
    harbour: Harbour, galley: Machine, bridge: Machine
):
    await galley.store.create(USED, ENTRIES[:2])
    await galley.send()
    await bridge.hear()
    harbour.deleted.add("one")
    with pytest.raises(NotFound) as gone:
        await bridge.travel.bring("one")
    assert gone.value.message == "The session “A title” was deleted on another machine."
    assert list(await bridge.travel.elsewhere()) == []


async def test_the_leases_are_given_back_as_the_process_ends(harbour: Harbour, galley: Machine):
    await galley.store.create(USED, ENTRIES[:2])
    galley.screen.shown.add("one")
    await galley.send()
    await galley.sending.let_go(galley.server)
    assert harbour.logs["one"].holder is None


def _in(session: SessionRecord, machine: Machine) -> SessionRecord:
    return replace(session, workspace=machine.local.workspace)
