"""One exchange: what waits is sent in order, then the news come page by page."""

import pytest

from plimsoll.errors import NotFound, StoreUnavailable
from plimsoll.storage.shared.base import Membership
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import (
    Done,
    ForgetMemory,
    Gone,
    NotAllowed,
    Overtaken,
    Queued,
    ShareMemory,
)
from plimsoll.storage.shared.reasons import Reason
from plimsoll.team.exchange import STEPS, Exchanged, ExchangeEnds, exchange
from team.ends import JOINED, Replica, Server, TestClock, away, memory, shared

FIRST = Queued("k1", ShareMemory(memory("m1", "Use tabs")))
SECOND = Queued("k2", ForgetMemory("m2"))


def ends(server: Server, replica: Replica, **more) -> ExchangeEnds:
    values = {"membership": server.member, "clock": TestClock(), **more}
    return ExchangeEnds(server=server, replica=replica, **values)


async def test_what_waits_is_sent_in_order_and_settled():
    server, replica = Server(), Replica(JOINED, FIRST, SECOND)
    server.outcomes = {"k2": Gone()}
    done = await exchange(ends(server, replica), STEPS)
    assert server.pushed == [FIRST, SECOND]
    assert replica.settled == [("k1", Done(1)), ("k2", Gone())]
    # What somebody has forgotten for all has left here too.
    assert done == Exchanged(changed=True, removed=True, seconds=0.0)


async def test_the_person_is_told_of_what_was_not_taken_as_it_was_sent():
    server, replica = Server(), Replica(JOINED, FIRST, SECOND)
    server.outcomes = {
        "k1": Overtaken(shared("m1"), shared("m9")),
        "k2": NotAllowed("Only bob may remove it."),
    }
    done = await exchange(ends(server, replica), STEPS)
    assert done.told == (
        "bob has changed “Use tabs” first. Your text waits in the inbox.",
        "What was removed here is not shared: Only bob may remove it.",
    )


async def test_news_come_from_where_they_were_left_until_there_are_no_more():
    server, replica = Server(), Replica(JOINED)
    first = News(position=3, memories=(shared("m1"),), more=True)
    second = News(position=5, forgotten=("m2",))
    server.pages = [first, second]
    done = await exchange(ends(server, replica, accept="all"), STEPS)
    assert server.asked == [0, 3]
    assert replica.taken == [(first, "all"), (second, "all")]
    assert done == Exchanged(changed=True, removed=True, seconds=0.0)


async def test_a_server_that_says_more_without_going_on_is_not_asked_for_ever():
    server, replica = Server(), Replica(JOINED)
    server.pages = [News(position=0, more=True)]
    await exchange(ends(server, replica), STEPS)
    assert server.asked == [0]


async def test_nothing_is_new_and_nothing_changes():
    server, replica = Server(), Replica(JOINED)
    assert await exchange(ends(server, replica), STEPS) == Exchanged(seconds=0.0)


async def test_a_role_that_only_reads_sends_nothing():
    server, replica = Server(), Replica(JOINED, FIRST)
    server.pages = [News(position=1, memories=(shared("m1"),))]
    given = ends(server, replica, membership=Membership("ada", "read"))
    assert await exchange(given, STEPS) == Exchanged(changed=True, seconds=0.0)
    assert (server.pushed, replica.waiting) == ([], [FIRST])


@pytest.mark.parametrize("reason", [Reason.READ_ONLY, Reason.FULL])
async def test_where_only_writing_fails_the_news_are_read(reason: Reason):
    server, replica = Server(), Replica(JOINED, FIRST)
    server.fails["push"] = StoreUnavailable("It can only be read.", data={"reason": reason})
    server.pages = [News(position=1, memories=(shared("m1"),))]
    done = await exchange(ends(server, replica), STEPS)
    assert done == Exchanged(changed=True, seconds=0.0, trouble=server.fails["push"])
    assert replica.waiting == [FIRST]


@pytest.mark.parametrize("error", [away(), NotFound("project", "harbour")])
async def test_any_other_trouble_ends_the_exchange_and_what_was_done_is_told(error: Exception):
    server, replica = Server(), Replica(JOINED, FIRST)
    server.fails["news"] = error
    done = await exchange(ends(server, replica), STEPS)
    assert done == Exchanged(changed=True, trouble=error)
    assert replica.settled == [("k1", Done(1))]
