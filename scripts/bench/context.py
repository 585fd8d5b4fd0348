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
from pathlib import Path

from common import table

from plimsoll.context.view.ledger import Ledger
from plimsoll.session.bench.measuring import READ, WRITE, Recording, Score, play, recording
from plimsoll.session.bench.policies import NO_PRESSURE, POLICIES
from plimsoll.terminal.commands.replay import recorded
from plimsoll.tokens.counter import Counters
from plimsoll.tools import tool_traits

ROOT = Path(__file__).resolve().parents[2]
OTHERS = ROOT.parent / "shared" / "data" / "trajectories"
"""Recorded sessions of other agents; the tests' own ones stand in where these are missing."""
SESSIONS = OTHERS if OTHERS.is_dir() else ROOT / "tests" / "recordings" / "sessions"
TOOLS = tool_traits()
LEAST_NAMES = 97.0
"""Percent of the names that must stay in view."""
DEFAULT = "default: keep 1"
VERY_LONG = "day-020"
"""The session of 795k tokens, which weighs more than all others together."""


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
    names = sum(len(one.names) for one in sessions)
    lines = sum(len(one.lines) for one in sessions)
    print(f"{len(sessions)} sessions, {names} uses of names, {lines} of lines")
    print(f"prices: read {READ}, write {WRITE}; tokens by o200k_base\n")
    scores = {
        policy.name: {
            one.name: play(one, policy, ledger, NO_PRESSURE, tools=TOOLS) for one in sessions
        }
        for policy in policies
    }
    show(scores, [one.name for one in sessions])
    print(f"\n{time.perf_counter() - begun:.0f} s")


def load(folder: Path) -> Iterator[Recording]:
    for path in sorted(folder.glob("*.jsonl*")):
        messages = recorded(path)
        assert isinstance(messages, tuple)
        name = path.name.partition(".jsonl")[0]
        yield recording(name, messages)


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
            f"{score.names_share:.1f} %",
            f"{score.lines_share:.1f} %",
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
    points = {
        name: (getattr(score, f"{measure}_share"), score.cost) for name, score in pooled.items()
    }
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
    return sum(costs) / len(costs), found.names_share, found.lines_share


def pool(scores: dict[str, Score], chosen: Sequence[str]) -> Score:
    total = Score()
    for name in chosen:
        total.add(scores[name])
    return total


if __name__ == "__main__":
    main()
