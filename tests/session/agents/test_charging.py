"""What subagents took is counted once in each session above them, whatever a crash left out."""

import pytest

from plimsoll.context.log.entries import Noted
from plimsoll.context.log.notes import USAGE, note_fields
from plimsoll.session.agents.charging import REPEATS, charge_what_is_missing
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.state.cost import cost_rows
from session.agents.scripts import agent, calls, rule, words
from session.harness import harness

DEEP = [
    rule("^Go", calls(agent("one", "FIRST", "work")), words("Done.")),
    rule("FIRST", calls(agent("two", "SECOND", "work")), words("One.")),
    rule("SECOND", words("Two.")),
]


class AnotherClock(CountedClock):
    """Makes ids that no other process has made."""

    def new_id(self, prefix):
        return f"later-{super().new_id(prefix)}"


def told(entry):
    """Whether it repeats what an agent took."""
    fields = note_fields(entry) if isinstance(entry, Noted) and entry.what == USAGE else None
    return fields is not None and fields.maybe_text(REPEATS) is not None


async def logs_without_what_is_told(folder):
    """The records and logs of a caller, its agent and the agent of that, as a crash leaves them."""
    async with harness(folder, rules=DEEP) as own:
        await own.turn("Go")
        (first,) = await own.store.agents_of(own.session.id)
        (second,) = await own.store.agents_of(first.id)
        records = (own.session.state.record, first, second)
        logs = [await own.store.entries(each.id) for each in records]
    return [
        (record, [each for each in entries if not told(each)])
        for record, entries in zip(records, logs, strict=True)
    ]


@pytest.fixture
async def after(tmp_path):
    """The project after the crash, and the two sessions that called others, the first one first."""
    left = await logs_without_what_is_told(tmp_path / "before")
    async with harness(tmp_path / "after", clock=AnotherClock()) as own:
        for record, entries in left:
            await own.store.create(record, entries)
        yield own.project, left[0][0].id, left[1][0].id


async def costs(project, session):
    loaded = await project.load(session)
    await charge_what_is_missing(loaded.state)
    return {row.purpose: row.input for row in cost_rows(loaded.state.log.fold.entries)}


async def test_what_the_agent_of_an_agent_took_reaches_the_first_caller_after_a_crash(after):
    project, top, middle = after
    assert await costs(project, top) == {"turn": 200, "subagent": 300}
    assert await costs(project, top) == {"turn": 200, "subagent": 300}
    # The agent in the middle learns of it later: that is no other cost.
    assert await costs(project, middle) == {"turn": 200, "subagent": 100}
    assert await costs(project, top) == {"turn": 200, "subagent": 300}


async def test_it_is_counted_once_where_the_agent_in_the_middle_learns_of_it_first(after):
    project, top, middle = after
    assert await costs(project, middle) == {"turn": 200, "subagent": 100}
    assert await costs(project, top) == {"turn": 200, "subagent": 300}
