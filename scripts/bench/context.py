"""What keeping the context small costs, and what it forgets, on recorded sessions.

Before each answer of a recorded session the whole context is sent. What stands unchanged at the
start of the request since the last one is read from the provider's cache, the rest is written to
it. What an answer uses for the first time and tool results alone had shown is evidence; it is kept
when it stands anywhere in the view at that moment. Names: distinctive strings of six characters and
more. Words: all whole words of four characters and more. Lines: whole lines, which no note keeps.
"""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from common import table
from days.make import DAYS, recordings

from plimsoll.context.stages.preflight import STAGES
from plimsoll.context.view.ledger import Ledger
from plimsoll.session.bench.measuring import READ, WRITE, Score, Tally, play, recording
from plimsoll.session.bench.policies import DEFAULT, NO_PRESSURE, NOTHING, POLICIES, Policy
from plimsoll.session.transfer.exports import Exported
from plimsoll.session.transfer.incoming import Incoming, spoken_in
from plimsoll.settings import Layer, merge
from plimsoll.settings.profiles import PROFILES
from plimsoll.terminal.commands.replay import recorded
from plimsoll.tokens.counter import Counters
from plimsoll.tools import tool_traits

ROOT = Path(__file__).resolve().parents[2]
OTHERS = ROOT.parent / "shared" / "data" / "trajectories"
"""Recorded sessions of other agents; the tests' own ones stand in where these are missing."""
SESSIONS = OTHERS if OTHERS.is_dir() else ROOT / "tests" / "recordings" / "sessions"
TOOLS = tool_traits()
LEAST_WORDS = 97.0
"""Percent of the words that must stay in view."""
HALVES = "half-a", "half-b"
"""The recordings that are made on demand: settings are chosen on A and shown on B."""
POOLS = {
    "mini-gemini3pro": "mini-swe-agent",
    "claude-code-console": "long days",
    "sweagent-demo": "demonstrations",
    HALVES[0]: "new work, half A",
    HALVES[1]: "new work, half B",
}
"""What the recordings are called, by what stands before the two underscores of their names."""
VERY_LONG = "day-020"
"""The session of 795k tokens, which weighs more than all others together."""
MEASURES = ("names", "words", "lines")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--sessions",
        type=Path,
        nargs="+",
        help="folders of recordings; without it those beside the repository and those made here",
    )
    parser.add_argument("--only", default="", help="sessions with this in their name")
    parser.add_argument("--policy", default="", help="policies with this in their name")
    parser.add_argument(
        "--profiles",
        type=int,
        metavar="N",
        help="the profiles of settings, in a window of N tokens",
    )
    asked = parser.parse_args()
    begun = time.process_time()
    ledger = Ledger(Counters().of("gpt-4o").count)
    folders = asked.sessions or [SESSIONS, made_here()]
    found = (one for folder in folders for one in load(folder, asked.only))
    sessions = [recording(name, messages) for name, messages in found]
    chosen = [NOTHING, DEFAULT]
    policies = [one for one in POLICIES if asked.policy in one.name or one in chosen]
    if asked.profiles:
        policies = [*chosen, *(of_profile(name, asked.profiles) for name in PROFILES)]
    uses = (f"{sum(len(getattr(one, each)) for one in sessions)} of {each}" for each in MEASURES)
    print(f"{len(sessions)} sessions; uses: {', '.join(uses)}")
    print(f"prices: read {READ}, write {WRITE}; tokens by o200k_base\n")
    scores = {
        policy.name: {
            one.name: play(one, policy, ledger, NO_PRESSURE, tools=TOOLS) for one in sessions
        }
        for policy in policies
    }
    show(scores, [one.name for one in sessions])
    print(f"\n{time.process_time() - begun:.0f} s of processor time")


def of_profile(name: str, window: int) -> Policy:
    """The whole pipeline as a profile sets it."""
    settings = merge([Layer("the profile", {"profile": name})]).settings
    told = f"profile {name}, window {window:,}"
    return Policy(name=told, stages=STAGES, settings=settings, window=window, ours=True)


def made_here() -> Path:
    """Make the recordings that are missing, and say which cannot be made."""
    _, missing = recordings()
    print("".join(f"{each}\n" for each in missing), end="")
    return DAYS


def load(folder: Path, only: str) -> Iterator[tuple[str, Sequence[Incoming]]]:
    for path in sorted(folder.glob("*.jsonl*")):
        name = path.name.partition(".jsonl")[0]
        if only in name:
            yield name, messages_of(path)


def messages_of(path: Path) -> Sequence[Incoming]:
    """What was said in a recording, an export of ours or another agent's."""
    held = recorded(path)
    return tuple(spoken_in(held.entries)) if isinstance(held, Exported) else held


def show(scores: dict[str, dict[str, Score]], names: Sequence[str]) -> None:
    pools: dict[str, list[str]] = {}
    for name in names:
        kind = name.partition("__")[0]
        pools.setdefault(POOLS.get(kind, kind), []).append(name)
    pools["all but the 795k day"] = [name for name in names if VERY_LONG not in name]
    pools["all"] = list(names)
    for title, chosen in pools.items():
        show_pool(f"{title} ({len(chosen)})", scores, chosen)
    for name in names:
        show_pool(name, scores, [name])
    if len(names) > 1 and len(scores) == len(POLICIES):
        cross_checked(scores, names)


def show_pool(title: str, scores: dict[str, dict[str, Score]], chosen: Sequence[str]) -> None:
    pooled = {policy: pool(by_name, chosen) for policy, by_name in scores.items()}
    raw = pooled[NOTHING.name]
    rows = [
        [
            policy,
            f"{score.cost / raw.cost:.3f}" if raw.cost else "-",
            *(f"{tally(score, each).share:.1f} %" for each in MEASURES),
            str(score.steps),
        ]
        for policy, score in pooled.items()
    ]
    uses = (f"{tally(raw, each).needed} {each}" for each in MEASURES)
    print(f"\n{title}: {', '.join(uses)}")
    table(["policy", "cost", *MEASURES, "rewrites"], rows)
    for each in MEASURES:
        better = better_than_default(pooled, each)
        print(f"cheaper than the default with as many {each}: {', '.join(better) or 'none'}")


def better_than_default(pooled: dict[str, Score], measure: str) -> list[str]:
    """The policies that cost less than the default and keep no less."""
    own = pooled[DEFAULT.name]
    least = tally(own, measure).stood
    return [
        name
        for name, score in pooled.items()
        if score.cost < own.cost and tally(score, measure).stood >= least
    ]


def tally(score: Score, measure: str) -> Tally:
    found = {"names": score.names, "words": score.words, "lines": score.lines}
    return found[measure]


def cross_checked(scores: dict[str, dict[str, Score]], names: Sequence[str]) -> None:
    """Whether a setting that is best on one half of the sessions holds on the other half."""
    recorded = [name for name in names if not name.startswith(HALVES)]
    halves = {"even": recorded[::2], "odd": recorded[1::2]}
    halves |= {half: [name for name in names if name.startswith(half)] for half in HALVES}
    free = [policy.name for policy in POLICIES if policy.ours and policy.window == NO_PRESSURE]
    print(f"\ncheapest with {LEAST_WORDS:.0f} % of the words, chosen on one half of the sessions")
    rows: list[list[str]] = []
    for chosen_on, other in (("even", "odd"), ("odd", "even"), HALVES, HALVES[::-1]):
        if not halves[chosen_on] or not halves[other]:
            continue
        here = {policy: means(scores[policy], scores, halves[chosen_on]) for policy in free}
        good = [policy for policy in free if here[policy]["words"] >= LEAST_WORDS]
        best = min(good or free, key=lambda policy: here[policy]["cost"])
        for name, told in ((best, f"on the {chosen_on} ones"), (DEFAULT.name, "beside it")):
            both = (means(scores[name], scores, halves[half]) for half in (chosen_on, other))
            rows.append([f"{name}, {told}", *map(figures, both)])
    table([f"policy: cost, {', '.join(MEASURES)}", "there", "on the other half"], rows)


def figures(found: Mapping[str, float]) -> str:
    return ", ".join([f"{found['cost']:.3f}", *(f"{found[each]:.1f} %" for each in MEASURES)])


def means(
    own: dict[str, Score], scores: dict[str, dict[str, Score]], names: Sequence[str]
) -> dict[str, float]:
    """Cost against raw as a mean over sessions; the measures in percent, pooled."""
    raw = scores[NOTHING.name]
    found = pool(own, names)
    costs = [own[name].cost / raw[name].cost for name in names]
    shares = {each: tally(found, each).share for each in MEASURES}
    return {"cost": sum(costs) / len(costs), **shares}


def pool(scores: dict[str, Score], chosen: Sequence[str]) -> Score:
    total = Score()
    for name in chosen:
        total.add(scores[name])
    return total


if __name__ == "__main__":
    main()
