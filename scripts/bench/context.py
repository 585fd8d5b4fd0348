"""What keeping the context small costs, and what it forgets, on recorded sessions.

Before each answer of a recorded session the whole context is sent. What stands unchanged at the
start of the request since the last one is read from the provider's cache, the rest is written to
it. Retained evidence: a distinctive string that the assistant uses and that so far stood in tool
results alone; it is kept when it stands anywhere in the view at that moment.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from common import table
from evidence import Use, uses
from policies import NO_PRESSURE, POLICIES, Policy

from plimsoll.context.budget import budget_for
from plimsoll.context.draft import Draft
from plimsoll.context.entries import Said
from plimsoll.context.fold import Fold
from plimsoll.context.ledger import Ledger
from plimsoll.context.messages import Role
from plimsoll.context.pipeline import as_edit, reduce
from plimsoll.context.view import View
from plimsoll.session.door import at_the_door
from plimsoll.session.incoming import Incoming, entries_of
from plimsoll.session.stamps import CountedStamps
from plimsoll.terminal.recorded import recorded
from plimsoll.tokens.registry import Counters

SESSIONS = Path(__file__).resolve().parents[3] / "shared" / "data" / "trajectories"
READ, WRITE = 0.1, 1.25
"""Prices of a token read from and written to the cache, in plain input tokens."""
LEAST_RETAINED = 97.0
"""Percent of the evidence that must stay in view."""
VERY_LONG = "day-020"
"""The session of 795k tokens, which weighs more than all others together."""


@dataclass(frozen=True, slots=True)
class Session:
    """A recorded session."""

    name: str
    messages: tuple[Incoming, ...]
    uses: tuple[Use, ...]


@dataclass(slots=True)
class Score:
    """What a policy made of some sessions."""

    cost: float = 0.0
    kept: int = 0
    used: int = 0
    steps: int = 0
    """Requests in which something that stood in the last one had changed."""

    def add(self, other: "Score") -> None:
        self.cost += other.cost
        self.kept += other.kept
        self.used += other.used
        self.steps += other.steps

    @property
    def retained(self) -> float:
        return 100 * self.kept / self.used if self.used else 100.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=Path, default=SESSIONS)
    parser.add_argument("--only", default="", help="sessions with this in their name")
    parser.add_argument("--policy", default="", help="policies with this in their name")
    asked = parser.parse_args()
    ledger = Ledger(Counters().of("gpt-4o").count)
    sessions = [one for one in load(asked.sessions) if asked.only in one.name]
    policies = [one for one in POLICIES if asked.policy in one.name or one is POLICIES[0]]
    print(f"{len(sessions)} sessions, {sum(len(one.uses) for one in sessions)} uses of evidence")
    print(f"prices: read {READ}, write {WRITE}; tokens by o200k_base\n")
    scores = {
        policy.name: {one.name: play(one, policy, ledger) for one in sessions}
        for policy in policies
    }
    show(scores, [one.name for one in sessions])


def load(folder: Path) -> Iterator[Session]:
    for path in sorted(folder.glob("*.jsonl*")):
        messages = recorded(path)
        assert isinstance(messages, tuple)
        yield Session(path.name.partition(".jsonl")[0], messages, tuple(uses(messages)))


def play(session: Session, policy: Policy, ledger: Ledger) -> Score:
    """One session under one policy."""
    score = Score(used=len(session.uses))
    waiting: dict[int, list[str]] = {}
    for use in session.uses:
        waiting.setdefault(use.request, []).append(use.text)
    last: View | None = None
    for request, view in enumerate(requests(session.messages, policy, ledger)):
        same = unchanged(last, view) if last else 0
        score.cost += READ * same + WRITE * (view.tokens - same)
        score.steps += last is not None and same < last.tokens
        score.kept += sum(stands(text, view) for text in waiting.get(request, ()))
        last = view
    return score


def requests(messages: Sequence[Incoming], policy: Policy, ledger: Ledger) -> Iterator[View]:
    """The views that would be sent."""
    fold, stamps = Fold(ledger), CountedStamps()
    draft = Draft(fold, budget_for(policy.window, policy.knobs.budget), policy.knobs)
    for message in messages:
        for entry in entries_of((message,), fold, stamps, system=True):
            if isinstance(entry, Said) and entry.role is Role.ASSISTANT:
                for proposal in reduce(draft, policy.stages).proposals:
                    fold.append(as_edit(proposal, stamps.new_id("e"), stamps.now()))
                yield fold.view
            fold.append(entry)
            if isinstance(entry, Said) and entry.role is Role.TOOL and policy.ours:
                fold.extend(at_the_door(entry, draft, stamps, None))


def unchanged(last: View, view: View) -> int:
    """Tokens at the start of a request that stood there in the last one."""
    if last.head != view.head or last.tools != view.tools:
        return 0
    pairs = enumerate(zip(last.lines, view.lines, strict=False))
    first = next((n for n, (old, new) in pairs if old is not new and old.shown != new.shown), None)
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
    if len(names) > 1:
        cross_checked(scores, names)


def show_pool(title: str, scores: dict[str, dict[str, Score]], chosen: Sequence[str]) -> None:
    pooled = {policy: pool(by_name, chosen) for policy, by_name in scores.items()}
    raw = next(iter(pooled.values())).cost
    rows = [
        [policy, f"{score.cost / raw:.3f}", f"{score.retained:.1f} %", str(score.steps)]
        for policy, score in pooled.items()
    ]
    print(f"\n{title}, {next(iter(pooled.values())).used} uses")
    table(["policy", "cost", "retained", "rewrites"], rows)


def cross_checked(scores: dict[str, dict[str, Score]], names: Sequence[str]) -> None:
    """Whether a setting that is best on one half of the sessions holds on the other half."""
    halves = {"even": names[::2], "odd": names[1::2]}
    free = [policy.name for policy in POLICIES if policy.ours and policy.window == NO_PRESSURE]
    print(f"\ncheapest with {LEAST_RETAINED:.0f} % retained, chosen on one half of the sessions")
    rows: list[list[str]] = []
    for chosen_on, other in (("even", "odd"), ("odd", "even")):
        here = {policy: ratio(scores, policy, halves[chosen_on]) for policy in free}
        good = [policy for policy, (_, kept) in here.items() if kept >= LEAST_RETAINED]
        best = min(good, key=lambda policy: here[policy][0])
        told = [
            f"{cost:.3f}, {kept:.1f} %"
            for cost, kept in (here[best], ratio(scores, best, halves[other]))
        ]
        rows.append([f"{best}, on the {chosen_on} ones", *told])
    table(["policy", "there", "on the other half"], rows)


def ratio(
    scores: dict[str, dict[str, Score]], policy: str, names: Sequence[str]
) -> tuple[float, float]:
    """Cost against raw, and evidence retained in percent, as means over sessions."""
    raw = next(iter(scores.values()))
    costs = [scores[policy][name].cost / raw[name].cost for name in names]
    return sum(costs) / len(costs), pool(scores[policy], names).retained


def pool(scores: dict[str, Score], chosen: Sequence[str]) -> Score:
    total = Score()
    for name in chosen:
        total.add(scores[name])
    return total


if __name__ == "__main__":
    main()
