"""Threat V4: compaction never goes on without progress, in windows made so that it could.

Each window is filled in an adversarial way; then a person says a few words several times and goes
away each time, long enough for idle compaction. Whatever happens, the model that summarises is
asked at most twice, or three times where a fault that may pass is tried again, and a person is told
what to do where nothing helps.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from builders import assistant, exchange, pin, result, user
from plimsoll.context.log.entries import Edited, Entry, Framed, Slot, Stage
from plimsoll.errors import Infeasible, ProviderOverflow
from plimsoll.session.background.between_turns import IdleWatch
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import TurnEnded
from plimsoll.session.reduction.items import evict
from session.reduction.compaction_rig import GOOD, Rig, rig, storm

WINDOWS = [4_096, 6_000, 8_192, 16_000, 32_000]
TURNS = 5
AT = "2026-01-01T00:00:00.000Z"


@dataclass(frozen=True, kw_only=True)
class Adversary:
    """How a window is filled, and what comes when a model is asked."""

    fill: Callable[[int], Sequence[Entry]]
    """The entries for so many tokens of effective window."""
    summary: dict[str, object] = field(default_factory=lambda: {"text": GOOD})
    chat: dict[str, object] = field(default_factory=lambda: {"text": "Done."})
    turns: int = TURNS
    most_calls: int = 2
    """Calls beside those that answer the person: with the third failure the breaker opens."""
    ends: type[Exception] | None = None
    """With what the turns end, where they cannot go on."""


def filled(share: float) -> Callable[[int], Sequence[Entry]]:
    """One prompt and calls that take such a share."""

    def fill(effective: int) -> Sequence[Entry]:
        size = max(20, effective // 40)
        return storm(int(effective * share) // (size + 21), size)

    return fill


def large_system(share: float) -> Callable[[int], Sequence[Entry]]:
    """The fixed part alone takes such a share."""

    def fill(effective: int) -> Sequence[Entry]:
        text = "rule " * int(effective * share)
        return [Framed(id="f99", at=AT, slot="system", kind=Slot.SYSTEM, text=text), *storm(2, 20)]

    return fill


def large_pins(effective: int) -> Sequence[Entry]:
    return [pin(1, "always " * int(effective * 0.9)), *storm(2, 20)]


def oversize_last_message(effective: int) -> Sequence[Entry]:
    return [*storm(4, 20), user("u99", "word " * (effective - 300))]


def call_in_flight(effective: int) -> Sequence[Entry]:
    """A cancel or a crash has left calls without results."""
    pending = assistant("a98", "I look.", ("c98", "grep", "{}"), ("c99", "grep", "{}"))
    answered = result("r98", "a98", "c98", "word " * (effective // 20))
    return [*filled(0.8)(effective), pending, answered]


def nothing_to_gain(effective: int) -> Sequence[Entry]:
    """The old part is small and all of it decisions: a digest of it is hardly shorter."""
    step = "It was decided to keep {n} because of {n} " + "and so on " * 5
    talk = [assistant(f"a{n}", step.format(n=f"part{n}")) for n in range(10 + effective // 260)]
    rules = Framed(
        id="f98", at=AT, slot="system", kind=Slot.SYSTEM, text="rule " * int(effective * 0.5)
    )
    return [rules, user("u97", "Go on."), *talk, *exchange(99, "word " * int(effective * 0.15))]


ADVERSARIES = {
    "system prompt over the window": Adversary(fill=large_system(1.2), ends=Infeasible),
    "system prompt over the compact mark": Adversary(fill=large_system(0.9)),
    "pins over the compact mark": Adversary(fill=large_pins),
    "the last message is the oversize one": Adversary(fill=oversize_last_message),
    "summary larger than the input": Adversary(
        fill=filled(0.8), summary={"text": GOOD + " word" * 40_000}
    ),
    "empty summary": Adversary(fill=filled(0.8), summary={"text": ""}),
    "cut off at max output": Adversary(
        fill=filled(0.8), summary={"text": GOOD, "stop": "maxTokens"}
    ),
    "a tool call for a summary": Adversary(
        fill=filled(0.8), summary={"text": GOOD, "calls": [{"name": "shell"}]}
    ),
    "failure in mid stream": Adversary(
        fill=filled(0.8), summary={"text": ["## Goal"], "error": "cut"}, most_calls=3
    ),
    "call in flight": Adversary(fill=call_in_flight, summary={"text": ""}),
    "nothing to gain": Adversary(fill=nothing_to_gain, summary={"text": ""}),
    "the provider always finds it too long": Adversary(
        fill=filled(0.8), chat={"error": "overflow"}, turns=1, ends=ProviderOverflow
    ),
}


async def at_once(seconds: float) -> None:
    """The editor has been quiet for so long."""


async def visited(own: Rig, turns: int) -> list[TurnEnded]:
    """A person says something so many times, and goes away each time."""
    watch, ended = IdleWatch(own.session, at_once), []
    for _ in range(turns):
        await own.session.prompt([PromptText("go on")])
        ended.append(await own.session.wait())
        await rested(watch)
    return ended


async def rested(watch: IdleWatch) -> None:
    watch.on_turn_end()
    assert watch._waiting is not None
    await watch._waiting


def test_there_are_fifty_windows():
    assert len(ADVERSARIES) * len(WINDOWS) >= 50


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("adversary", ADVERSARIES.values(), ids=ADVERSARIES.keys())
async def test_an_adversarial_window_costs_few_calls(tmp_path, adversary, window):
    """claude-code #24179 compacted 211 times, kilocode #13983 tried 408, oh-my-pi #10594 891."""
    own = await rig(
        tmp_path,
        *[adversary.summary] * 40,
        window=window,
        chat=[adversary.chat] * 40,
        idle_seconds=240,
    )
    state = own.session.state
    await own.said(*adversary.fill(state.model.budget.effective))
    edits = len(compactions(own))
    ended = await visited(own, adversary.turns)
    asked = [end for end in ended if not isinstance(end.error, Infeasible)]
    extra = len(own.chat.requests) - len(asked) + len(own.utility.requests)
    assert extra <= adversary.most_calls
    for edit in compactions(own)[edits:]:
        assert edit.before - edit.after >= 0.05 * state.model.budget.effective
    assert len(compactions(own)) - edits <= 2
    if own.utility.requests and not compactions(own):
        assert [notice for notice in own.notices if "Remove large items" in notice]
    if adversary.ends is not None:
        assert all(isinstance(end.error, adversary.ends) for end in ended)
        assert all(end.error.remedy for end in ended)


def compactions(own: Rig) -> list[Edited]:
    stages = {Stage.DIGEST, Stage.COMPACT}
    return [e for e in own.session.state.log.fold.edits.values() if e.stage in stages]


async def test_what_was_tried_in_vain_is_tried_again_once_something_has_changed(tmp_path):
    own = await rig(
        tmp_path, *[{"text": ""}] * 9, window=6_000, idle_seconds=240, chat=[{"text": "Done."}] * 9
    )
    await own.said(*nothing_to_gain(own.session.state.model.budget.effective))
    watch = IdleWatch(own.session, at_once)
    await rested(watch)
    await rested(watch)
    assert len(own.utility.requests) == 2
    await evict(own.session.state, ["a0.0"])
    await rested(watch)
    assert len(own.utility.requests) == 3
