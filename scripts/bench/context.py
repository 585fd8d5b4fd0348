"""What keeping the context small costs, and what it forgets, on recorded sessions.

Before each answer of a recorded session the whole context is sent. What stands unchanged at the
start of the request since the last one is read from the provider's cache, the rest is written to
it. Retained names: a distinctive string that the assistant uses and that so far stood in tool
results alone is retained when it stands anywhere in the view at that moment. Retained lines: the
same of whole lines, which no list of names keeps.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import is_
from pathlib import Path

from common import table
from evidence import Use, quotes, uses
from policies import NO_PRESSURE, POLICIES, Policy

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Role
from plimsoll.context.stages.pipeline import NextRequest, as_edit, reduce
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.ledger import Ledger
from plimsoll.context.view.view import View
from plimsoll.session.environment import CountedClock
from plimsoll.session.transfer.foreign import FOREIGN_TOOLS
from plimsoll.session.transfer.incoming import Incoming, entries_of
from plimsoll.session.turn.ingest import ingest_edits, too_long
from plimsoll.terminal.commands.replay import recorded
from plimsoll.tokens.counter import Counters
from plimsoll.tools import tool_traits

ROOT = Path(__file__).resolve().parents[2]
OTHERS = ROOT.parent / "shared" / "data" / "trajectories"
"""Recorded sessions of other agents; the tests' own ones stand in where these are missing."""
SESSIONS = OTHERS if OTHERS.is_dir() else ROOT / "tests" / "recordings" / "sessions"
TOOLS = {**FOREIGN_TOOLS, **tool_traits()}
READ, WRITE = 0.1, 1.25
"""Prices of a token read from and written to the cache, in plain input tokens."""
LEAST_NAMES = 97.0
"""Percent of the names that must stay in view."""
DEFAULT = "default: keep 1"
VERY_LONG = "day-020"
"""The session of 795k tokens, which weighs more than all others together."""


@dataclass(frozen=True, slots=True)
class Session:
    """A recorded session."""

    name: str
    messages: tuple[Incoming, ...]
    uses: tuple[Use, ...]
    """Of names."""
    quotes: tuple[Use, ...]
    """Of lines."""


@dataclass(slots=True, kw_only=True)
class Score:
    """What a policy made of some sessions."""

    cost: float = 0.0
    used: int = 0
    kept: int = 0
    """Names."""
    quoted: int = 0
    standing: int = 0
    """Lines."""
    steps: int = 0
    """Requests in which something that stood in the last one had changed."""

    def add(self, other: "Score") -> None:
        for name in ("cost", "used", "kept", "quoted", "standing", "steps"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def names(self) -> float:
        return 100 * self.kept / self.used if self.used else 100.0

    @property
    def lines(self) -> float:
        return 100 * self.standing / self.quoted if self.quoted else 100.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=Path, default=SESSIONS)
    parser.add_argument("--only", default="", help="sessions with this in their name")
    parser.add_argument("--policy", default="", help="policies with this in their name")
    asked = parser.parse_args()
    begun = time.perf_counter()
    ledger = Ledger(Counters().of("gpt-4o").count)
    sessions = [one for one in load(asked.sessions) if asked.only in one.name]
    policies = [one for one in POLICIES if asked.policy in one.name or one is POLICIES[0]]
    names, lines = (sum(len(of(one)) for one in sessions) for of in (_uses, _quotes))
    print(f"{len(sessions)} sessions, {names} uses of names, {lines} of lines")
    print(f"prices: read {READ}, write {WRITE}; tokens by o200k_base\n")
    scores = {
        policy.name: {one.name: play(one, policy, ledger) for one in sessions}
        for policy in policies
    }
    show(scores, [one.name for one in sessions])
    print(f"\n{time.perf_counter() - begun:.0f} s")


def _uses(session: Session) -> tuple[Use, ...]:
    return session.uses


def _quotes(session: Session) -> tuple[Use, ...]:
    return session.quotes


def load(folder: Path) -> Iterator[Session]:
    for path in sorted(folder.glob("*.jsonl*")):
        messages = recorded(path)
        assert isinstance(messages, tuple)
        name = path.name.partition(".jsonl")[0]
        yield Session(name, messages, tuple(uses(messages)), tuple(quotes(messages)))


def play(session: Session, policy: Policy, ledger: Ledger) -> Score:
    """One session under one policy."""
    score = Score(used=len(session.uses), quoted=len(session.quotes))
    names, lines = by_request(session.uses), by_request(session.quotes)
    last: View | None = None
    for request, view in enumerate(requests(session.messages, policy, ledger)):
        same = unchanged(last, view) if last else 0
        score.cost += READ * same + WRITE * (view.tokens - same)
        score.steps += last is not None and same < last.tokens
        score.kept += sum(stands(text, view) for text in names.get(request, ()))
        score.standing += sum(stands(text, view) for text in lines.get(request, ()))
        last = view
    return score


def by_request(found: Sequence[Use]) -> dict[int, list[str]]:
    texts: dict[int, list[str]] = {}
    for use in found:
        texts.setdefault(use.request, []).append(use.text)
    return texts


def requests(messages: Sequence[Incoming], policy: Policy, ledger: Ledger) -> Iterator[View]:
    """The views that would be sent."""
    fold, clock = Fold(ledger, tools=TOOLS), CountedClock()
    next_request = NextRequest(
        fold=fold,
        budget=policy.budget,
        settings=policy.settings,
    )
    for message in messages:
        for entry in entries_of((message,), fold, clock, system=True):
            if isinstance(entry, Said) and entry.role is Role.ASSISTANT:
                for proposal in reduce(next_request, policy.stages).proposals:
                    fold.append(as_edit(proposal, clock.new_id("e"), clock.now()))
                yield fold.view
            fold.append(entry)
            if isinstance(entry, Said) and entry.role is Role.TOOL and policy.ours:
                cut = too_long(entry, next_request)
                fold.extend(ingest_edits(entry, next_request, clock, cut=cut))


def unchanged(last: View, view: View) -> int:
    """Tokens at the start of a request that stood there in the last one."""
    if last.head != view.head or last.tools != view.tools:
        return 0
    moved = (n for n, same in enumerate(map(is_, last.lines, view.lines)) if not same)
    first = next((n for n in moved if last.lines[n].shown != view.lines[n].shown), None)
    if first is None:
        return view.tokens - sum(line.tokens for line in view.lines[len(last.lines) :])
    same = view.tokens - sum(line.tokens for line in view.lines[first:])
    for old, new in zip(last.lines[first].shown, view.lines[first].shown, strict=False):
        if old != new:
            break
        same += new.tokens
    return same


def stands(text: str, view: View) -> bool:
    return any(text in shown.part.text for shown in view.items())


def show(scores: dict[str, dict[str, Score]], names: Sequence[str]) -> None:
    pools = {
        "mini-swe-agent": [name for name in names if name.startswith("mini")],
        "long days": [name for name in names if name.startswith("claude")],
        "all but the 795k day": [name for name in names if VERY_LONG not in name],
        "all": list(names),
    }
    for title, chosen in pools.items():
        if chosen:
            show_pool(f"{title} ({len(chosen)})", scores, chosen)
    for name in names:
        show_pool(name, scores, [name])
    if len(names) > 1 and len(scores) == len(POLICIES):
        cross_checked(scores, names)


def show_pool(title: str, scores: dict[str, dict[str, Score]], chosen: Sequence[str]) -> None:
    pooled = {policy: pool(by_name, chosen) for policy, by_name in scores.items()}
    raw = next(iter(pooled.values()))
    rows = [
        [
            policy,
            f"{score.cost / raw.cost:.3f}",
            f"{score.names:.1f} %",
            f"{score.lines:.1f} %",
            str(score.steps),
        ]
        for policy, score in pooled.items()
    ]
    print(f"\n{title}, {raw.used} names, {raw.quoted} lines")
    table(["policy", "cost", "names", "lines", "rewrites"], rows)
    for measure in ("names", "lines"):
        cheaper = cheaper_than_ours(pooled, measure)
        print(f"cheaper with as many {measure}: {', '.join(cheaper) or 'no other policy'}")


def cheaper_than_ours(pooled: dict[str, Score], measure: str) -> list[str]:
    """The policies of others that lie below our curve, which is linear between its points."""
    points = {name: (getattr(score, measure), score.cost) for name, score in pooled.items()}
    own = [points[policy.name] for policy in POLICIES if policy.ours and policy.name in points]
    others = (one.name for one in POLICIES if not one.ours and one.name in points)
    return [name for name in others if own and points[name][1] < least_cost(own, points[name][0])]


def least_cost(points: Sequence[tuple[float, float]], retained: float) -> float:
    """The least cost on the curve at which so much is retained."""
    known = [cost for kept, cost in points if kept >= retained]
    for low, cost_low in points:
        for high, cost_high in points:
            if low < retained < high:
                share = (retained - low) / (high - low)
                known.append(cost_low + share * (cost_high - cost_low))
    return min(known, default=float("inf"))


def cross_checked(scores: dict[str, dict[str, Score]], names: Sequence[str]) -> None:
    """Whether a setting that is best on one half of the sessions holds on the other half."""
    halves = {"even": names[::2], "odd": names[1::2]}
    free = [policy.name for policy in POLICIES if policy.ours and policy.window == NO_PRESSURE]
    print(f"\ncheapest with {LEAST_NAMES:.0f} % of the names, chosen on one half of the sessions")
    rows: list[list[str]] = []
    for chosen_on, other in (("even", "odd"), ("odd", "even")):
        here = {policy: mean(scores, policy, halves[chosen_on]) for policy in free}
        good = [policy for policy in free if here[policy][1] >= LEAST_NAMES]
        best = min(good, key=lambda policy: here[policy][0])
        there = mean(scores, best, halves[other])
        rows.append([f"{best}, on the {chosen_on} ones", *map(figures, (here[best], there))])
        own = (mean(scores, DEFAULT, halves[half]) for half in (chosen_on, other))
        rows.append([f"{DEFAULT}, beside it", *map(figures, own)])
    table(["policy: cost, names, lines", "there", "on the other half"], rows)


def figures(found: tuple[float, float, float]) -> str:
    cost, names, lines = found
    return f"{cost:.3f}, {names:.1f} %, {lines:.1f} %"


def mean(
    scores: dict[str, dict[str, Score]], policy: str, names: Sequence[str]
) -> tuple[float, float, float]:
    """Cost against raw as a mean over sessions; names and lines retained in percent, pooled."""
    raw, own = next(iter(scores.values())), scores[policy]
    costs = [own[name].cost / raw[name].cost for name in names]
    found = pool(own, names)
    return sum(costs) / len(costs), found.names, found.lines


def pool(scores: dict[str, Score], chosen: Sequence[str]) -> Score:
    total = Score()
    for name in chosen:
        total.add(scores[name])
    return total


if __name__ == "__main__":
    main()
