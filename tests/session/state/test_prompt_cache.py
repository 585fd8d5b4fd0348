"""Whether the provider's cache holds the session: the log says it, in any process."""

from dataclasses import replace

import pytest

from builders import AT, CountedLog, assistant, system, user
from plimsoll.context.log.entries import Entry, Origin, Said
from plimsoll.providers.base import Usage
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.state.cost import usage_note
from plimsoll.session.state.prompt_cache import PromptCache, changed_note

CLOCK = CountedClock()
ANSWER = replace(assistant("a1", "So."), origin=Origin.PERSON, at="2026-01-01T00:04:00.000Z")
ASKED: list[Entry] = [system(), user("u1", "What is it?")]
SOON, LATE, BEFORE = (
    "2026-01-01T00:04:59.000Z",
    "2026-01-01T00:05:01.000Z",
    "2025-12-31T23:00:00.000Z",
)


def used(model: str, purpose: str = "turn") -> Entry:
    return usage_note(Usage(10, 2), purpose, model, CLOCK)


@pytest.mark.parametrize(
    ("entries", "now", "cold"),
    [
        (ASKED, AT, True),
        ([*ASKED, ANSWER], SOON, False),
        ([*ASKED, ANSWER], LATE, True),
        ([*ASKED, ANSWER], BEFORE, True),
        ([*ASKED, replace(ANSWER, origin=Origin.EDITOR)], SOON, True),
        ([*ASKED, ANSWER, used("one")], SOON, False),
        ([*ASKED, ANSWER, used("two")], SOON, True),
        ([*ASKED, ANSWER, used("one"), used("two", "compaction")], SOON, False),
        ([*ASKED, ANSWER, changed_note("one", CLOCK)], SOON, True),
        ([*ASKED, replace(changed_note("one", CLOCK), at=AT), ANSWER], SOON, False),
        ([replace(ASKED[1], at="yesterday"), ANSWER], SOON, True),
    ],
    ids=[
        "never asked",
        "asked a while ago",
        "asked too long ago, however late the answer came",
        "the clock was set back",
        "another agent's answer",
        "the model says it was itself",
        "another model answered",
        "another model summarised",
        "the model was changed since",
        "the model was changed before",
        "a time that nobody can read",
    ],
)
def test_the_cache_is_cold_by_what_the_log_says(entries: list[Said], now: str, cold: bool) -> None:
    assert PromptCache().is_cold(entries, "one", now, 300) is cold


def test_a_log_that_grows_is_told_as_one_that_is_read_at_once():
    growing, cache = list[Entry](), PromptCache()
    for entry in (*ASKED, ANSWER, used("one"), used("two"), replace(ANSWER, id="a2")):
        growing.append(entry)
        at_once = PromptCache().is_cold([*growing], "one", SOON, 300)
        assert cache.is_cold(growing, "one", SOON, 300) is at_once
    assert cache.is_cold([*ASKED], "one", SOON, 300)


def test_of_a_log_that_grows_only_what_is_new_is_read():
    log, cache = (
        CountedLog([*ASKED, ANSWER, *[user(f"u{n}", "And?") for n in range(50)]]),
        PromptCache(),
    )
    cache.is_cold(log, "one", SOON, 300)
    log.read = 0
    log.append(used("two"))
    assert (cache.is_cold(log, "two", SOON, 300), log.read) == (False, 1)
    assert (cache.is_cold(log, "one", SOON, 300), log.read) == (True, 1)
