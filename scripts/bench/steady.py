"""Whether the cost hangs on chance: one recorded session in 20 copies that hardly differ.

A copy has other call ids, a folder whose name is some tokens longer, other hashes, and other words
in one place of a hundred; a word is another one everywhere, so that what was read twice is still
the same twice. Each copy is played through the default policy. Cost is for each token of the copy
(of its last request when nothing is reduced), in plain input tokens: read .1, write 1.25. Spread
is (max - min) / median; asked is under 2 % in each row. Beside it the spread without any reduction,
and how far chance goes: what each copy costs beside the same copy under the steps of the session
itself. A longer name stands in calls and notes, which stay, so it weighs more there than in the
whole; that is in the first and not in the last.
"""

import argparse
import random
import re
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from common import table

from plimsoll.bench.measuring import Score, play
from plimsoll.bench.policies import NO_PRESSURE, NOTHING, Policy
from plimsoll.bench.recording import Recording
from plimsoll.context.log.entries import Op
from plimsoll.context.pipeline.proposal import NextRequest, Plan, Proposal
from plimsoll.context.pipeline.settings import PipelineSettings
from plimsoll.context.stages.preflight import STAGES
from plimsoll.context.view.ledger import Ledger
from plimsoll.session.transfer.exports import Exported
from plimsoll.session.transfer.incoming import Incoming, IncomingCall, spoken_in
from plimsoll.terminal.commands.recorded.replay import read_recording
from plimsoll.tokens.counter import Counters
from plimsoll.tools import tool_traits

ROOT = Path(__file__).resolve().parents[2]
OWN = ROOT / "tests" / "recordings" / "sessions"
OTHERS = ROOT.parent / "shared" / "data" / "trajectories"
"""Recorded sessions of other agents; our own ones do where these are missing."""
SESSIONS = (
    OWN / "scripted-repair.jsonl",
    OTHERS / "mini-gemini3pro__pytest-dev__pytest-6197.jsonl",
    OTHERS / "claude-code-console__bookminder_day-009.jsonl",
)
WINDOWS = (32_768, 65_536, 131_072)
COPIES = 20
MOST = 2.0
"""Percent of spread that is asked."""
CHANGED = 0.01
"""The share of the words that are other ones."""
OFTEN = 0.001
"""A word that is more of the text than this stays: it would make the copy another session."""
WORD = re.compile(r"[A-Za-z]{5,}")
HASH = re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b")
FOLDER = re.compile(r"(?<![\w.-])[\w.-]*[A-Za-z][\w.-]{2,}(?=/)")
LONGER = ("-copy", "-of-the-branch", "_2026_11", "-under-review", "-kept-apart", "_x")
OTHER_WORDS = """
heron willow basalt ember thistle marten cobalt juniper sparrow quartz tallow fathom
lantern saffron walnut plover gannet hazel bramble copper linnet osprey pebble rowan
tamarind umber velvet wren alder birch cedar dunlin egret fennel garnet hyssop indigo
jasper kestrel larch mallow nutmeg ochre pewter
"""


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A copy: what each of some words is in it."""

    words: Mapping[str, str]
    ids: Mapping[str, str]

    def text(self, text: str) -> str:
        text = WORD.sub(self._word, text)
        return FOLDER.sub(self._word, HASH.sub(self._word, text))

    def _word(self, match: re.Match[str]) -> str:
        return self.words.get(match[0], match[0])

    def value(self, value: Any) -> Any:
        """Change the texts of a call's arguments, not their names."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(each) for each in value]
        if isinstance(value, dict):
            return {key: self.value(each) for key, each in value.items()}
        return value

    def call(self, call: IncomingCall) -> IncomingCall:
        raw = None if call.raw is None else self.text(call.raw)
        return IncomingCall(self.ids[call.id], call.name, self.value(call.arguments), raw)

    def message(self, message: Incoming) -> Incoming:
        return replace(
            message,
            parts=tuple(replace(part, text=self.text(part.text)) for part in message.parts),
            calls=tuple(map(self.call, message.calls)),
            call_id=None if message.call_id is None else self.ids[message.call_id],
            reasoning=None if message.reasoning is None else self.text(message.reasoning),
        )

    def proposal(self, proposal: Proposal) -> Proposal:
        """Make the same step of the copy: the same items leave, in its own words."""
        return replace(proposal, ops=tuple(map(self._op, proposal.ops)))

    def _op(self, op: Op) -> Op:
        text = getattr(op, "text", None)
        return op if text is None else replace(op, text=self.text(text))


def perturbation(messages: Sequence[Incoming], number: int) -> Perturbed:
    """Choose what is other in a copy; the same for the same number, and nothing for 0."""
    if number == 0:
        same = [call.id for message in messages for call in message.calls]
        return Perturbed({}, dict(zip(same, same, strict=True)))
    chance, text = random.Random(number), "\n".join(texts_of(messages))
    words = {**other_words(chance, text), **other_hashes(chance, text), **longer(chance, text)}
    return Perturbed(words, other_ids(chance, messages))


def perturbed(messages: Sequence[Incoming], number: int) -> tuple[Incoming, ...]:
    """Make a copy; the same one for the same number, and 0 is the session itself."""
    return tuple(map(perturbation(messages, number).message, messages))


def texts_of(messages: Sequence[Incoming]) -> Iterator[str]:
    for message in messages:
        yield from (part.text for part in message.parts)
        yield from (str(value) for call in message.calls for value in call.arguments.values())


def other_words(chance: random.Random, text: str) -> dict[str, str]:
    """Choose words that are together so much of the text, and what stands in their place."""
    found = Counter(WORD.findall(text))
    total = found.total()
    free = (
        f"{word}{n or ''}"
        for n in range(total)
        for word in OTHER_WORDS.split()
        if word not in found
    )
    seldom = sorted(word for word, times in found.items() if times <= max(1, OFTEN * total))
    chance.shuffle(seldom)
    chosen, changed = {}, 0
    for word in seldom:
        if changed >= CHANGED * total:
            break
        chosen[word] = next(free)
        changed += found[word]
    return chosen


def other_ids(chance: random.Random, messages: Sequence[Incoming]) -> dict[str, str]:
    """Deal the ids of the calls anew: as long as they were, and each still another one."""
    ids = [call.id for message in messages for call in message.calls]
    return dict(zip(ids, chance.sample(ids, len(ids)), strict=True))


def other_hashes(chance: random.Random, text: str) -> dict[str, str]:
    known = sorted(set(HASH.findall(text)))
    return {old: f"{chance.getrandbits(4 * len(old)):0{len(old)}x}" for old in known}


def longer(chance: random.Random, text: str) -> dict[str, str]:
    """Choose one of the ten folders that are named most, and lengthen its name."""
    often = [name for name, _ in Counter(FOLDER.findall(text)).most_common(10)]
    if not often:
        return {}
    name = chance.choice(sorted(often))
    return {name: name + "".join(chance.sample(LONGER, chance.randint(1, 2)))}


@dataclass(frozen=True, slots=True)
class Spread:
    """The costs of the copies of a session."""

    costs: Sequence[float]

    @property
    def percent(self) -> float:
        middle = statistics.median(self.costs)
        return 100 * (max(self.costs) - min(self.costs)) / middle


def default(window: int) -> Policy:
    settings = PipelineSettings()
    return Policy(name="default", stages=STAGES, settings=settings, window=window, ours=True)


Steps = dict[int, list[Proposal]]
"""What left before each request, by the number of answers before it."""


def stepping(steps: Steps, window: int) -> Policy:
    """Return the default policy, which notes what it proposes."""
    policy = default(window)
    return replace(policy, stages=tuple(partial(_noted, plan, steps) for plan in policy.stages))


def _noted(plan: Plan, steps: Steps, next_request: NextRequest) -> Proposal | None:
    found = plan(next_request)
    if found is not None:
        steps.setdefault(next_request.fold.requests, []).append(found)
    return found


def following(steps: Steps, copy: Perturbed, window: int) -> Policy:
    """Return the policy that takes the steps of the session itself in one of its copies."""
    most = max(map(len, steps.values()), default=0)
    stages = tuple(partial(_repeated, steps, copy, number) for number in range(most))
    return replace(default(window), stages=stages)


def _repeated(
    steps: Steps, copy: Perturbed, number: int, next_request: NextRequest
) -> Proposal | None:
    due = steps.get(next_request.fold.requests, [])[number : number + 1]
    return copy.proposal(due[0]) if due else None


def scores(copies: Sequence[Recording], policy: Policy, ledger: Ledger) -> list[Score]:
    tools = tool_traits()
    return [play(copy, policy, ledger, NO_PRESSURE, tools=tools) for copy in copies]


def spread_of(found: Sequence[Score], raw: Sequence[Score]) -> Spread:
    """The cost of each copy for each token that its last request has when nothing is reduced."""
    pairs = zip(found, raw, strict=True)
    return Spread([score.cost / whole.tokens[-1] for score, whole in pairs])


NEEDED = ("spans", "edits", "names", "lines", "tokens", "sizes")
"""What else is looked for in a recording."""


def bare(messages: Sequence[Incoming]) -> Recording:
    """A recording of which nothing but the cost is asked."""
    nothing: dict[str, Any] = {name: {} for name in NEEDED}
    return Recording(name="", messages=tuple(messages), requests=len(messages), **nothing)


def load(path: Path) -> tuple[Incoming, ...]:
    held = read_recording(path)
    return tuple(spoken_in(held.entries)) if isinstance(held, Exported) else held


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sessions", type=Path, nargs="*", help="recorded sessions, or exports")
    parser.add_argument("--window", type=int, action="append", help="else several")
    parser.add_argument("--copies", type=int, default=COPIES)
    parser.add_argument("--each", action="store_true", help="print the cost of each copy")
    asked = parser.parse_args()
    ledger = Ledger(Counters().of("gpt-4o").count)
    print(f"{asked.copies} copies of each session; asked is a spread under {MOST} %\n")
    rows: list[list[str]] = []
    for path in asked.sessions or [path for path in SESSIONS if path.is_file()]:
        name, session = path.name.partition(".jsonl")[0], load(path)
        changes = [perturbation(session, number) for number in range(asked.copies)]
        copies = [bare(tuple(map(change.message, session))) for change in changes]
        raw = scores(copies, NOTHING, ledger)
        for window in asked.window or WINDOWS:
            own = scores(copies, default(window), ledger)
            same = same_steps(copies, changes, window, ledger)
            found, chance = spread_of(own, raw), beside(own, same)
            rows.append(row(name, window, found, spread_of(raw, raw), chance))
            if asked.each:
                print(name, window, *(f"{cost:.3f}" for cost in found.costs))
    figures = ["median", "least", "most", "spread", "unreduced", "chance"]
    table(["session", "window", *figures, "asked"], rows)


def same_steps(
    copies: Sequence[Recording], changes: Sequence[Perturbed], window: int, ledger: Ledger
) -> list[Score]:
    """Play each copy with the steps that the first one, the session itself, takes."""
    steps: Steps = {}
    scores(copies[:1], stepping(steps, window), ledger)
    pairs = zip(copies, changes, strict=True)
    return [
        score
        for copy, change in pairs
        for score in scores([copy], following(steps, change, window), ledger)
    ]


def beside(own: Sequence[Score], same: Sequence[Score]) -> Spread:
    """What each copy costs by its own steps, as a share of what those of the session cost it."""
    return Spread([mine.cost / its.cost for mine, its in zip(own, same, strict=True)])


def row(name: str, window: int, found: Spread, raw: Spread, chance: Spread) -> list[str]:
    costs = (statistics.median(found.costs), min(found.costs), max(found.costs))
    kept = "kept" if found.percent < MOST else "MISSED"
    figures = [f"{cost:.3f}" for cost in costs]
    return [
        *(name[-36:], f"{window:,}", *figures),
        *(f"{each.percent:.1f} %" for each in (found, raw, chance)),
        kept,
    ]


if __name__ == "__main__":
    main()
