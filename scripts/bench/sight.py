"""What the default policy keeps in sight and what it costs, beside what others do, in five windows.

Recorded sessions are played through each policy. What an answer or a call repeats word for word
from an earlier result (whole lines of 20 characters and more, runs of 40) must stand in the request
that produced it, outside of notes and summaries. What does not stand is read again first: that is
priced, once in twelve requests for each source. A summary is priced as a request of its own. Half
of the sessions choose settings, the other half shows them: of each pool the first, third and so on
by name choose, of made ones half A.
"""

import argparse
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory

from common import table
from days.make import DAYS, recordings

from plimsoll.bench.looking import Tally
from plimsoll.bench.measuring import Score, play
from plimsoll.bench.policies import NOTHING, floor_policy, policies_in
from plimsoll.bench.recording import Recording, recording
from plimsoll.context.budget import Budget, budget_for
from plimsoll.context.pipeline.settings import PipelineSettings
from plimsoll.context.view.ledger import Ledger
from plimsoll.session.transfer.exports import Exported
from plimsoll.session.transfer.incoming import Incoming, spoken_in
from plimsoll.settings import Layer, merge
from plimsoll.settings.profiles import PROFILES
from plimsoll.terminal.commands.recorded.replay import read_recording
from plimsoll.tokens.counter import Counters
from plimsoll.tools import tool_traits
from product.sight.director import Played, directed
from product.sight.playing import EVERYTHING, server
from product.sight.playing import play as play_scene
from product.sight.scenarios import SCENARIOS

ROOT = Path(__file__).resolve().parents[2]
OTHERS = ROOT.parent / "shared" / "data" / "trajectories"
"""Recorded sessions of other agents; the tests' own ones stand in where these are missing."""
SESSIONS = OTHERS if OTHERS.is_dir() else ROOT / "tests" / "recordings" / "sessions"
VERY_LONG = "day-020"
"""The session of 795k tokens, which weighs more than all others together."""
WINDOWS = 32_768, 65_536, 131_072, 200_000, 1_000_000
POOLS = {
    "mini-gemini3pro": "mini",
    "claude-code-console": "days",
    "sweagent-demo": "demos",
    "half-a": "made",
    "half-b": "made",
}
"""The pools, by what stands before the two underscores of a recording's name."""
SCENE_HEAD = (
    *("scenario", "fits", "whole/cut/notes", "load", "last need", "needs", "readings", "late"),
    *("requests", "cost"),
)
"""Whether all of it fits below the warning mark; the results as they stand in the last request
that needs any, the highest load, what that request needs and all do; cost over everything kept."""
FLOOR = "knows the future"
OWN = "Plimsoll"
HEAD = (
    *("policy", "cost", "re-read", "worst", "x floor", "requests", "late", "sight %"),
    *("tokens %", "lines %", "edits", "names %", "rewrites", "summaries", "over"),
)
"""Cost over no reduction as a mean over sessions, with second readings, the worst session's, and
over the planner that knows the future; requests with second readings, steps done only after one;
spans that stood in view, by occurrence and by tokens; the rest as in `Score`."""


@dataclass(frozen=True, slots=True)
class Task:
    """One session under one policy in one window."""

    session: str
    policy: str
    window: int


@dataclass(frozen=True, slots=True)
class Bench:
    """What is played: sessions by name, and settings of ours by the name of their policy."""

    sessions: Mapping[str, Recording]
    halves: Mapping[str, str]
    """Whether a session chooses settings or shows them."""
    ledger: Ledger
    own: Mapping[str, PipelineSettings]

    def played(self, task: Task) -> Score:
        """Play one session under one policy."""
        one = self.sessions[task.session]
        policies = {each.name: each for each in policies_in(task.window, self.own)}
        policies[FLOOR] = floor_policy(task.window, one.last_text_uses, one.requests)
        return play(one, policies[task.policy], self.ledger, task.window, tools=tool_traits())


_benches: list[Bench] = []
"""The bench of this process; the processes that play are forked from it and inherit it."""


def played(task: Task) -> Score:
    return _benches[0].played(task)


def main() -> None:
    asked = arguments().parse_args()
    begun = time.monotonic()
    if asked.scenarios:
        show_scenarios(asked.window, asked.only)
        return
    bench = gathered(asked)
    _benches.append(bench)
    policies = [each.name for each in policies_in(WINDOWS[0], bench.own)]
    policies = [name for name in policies if asked.policy in name or name == NOTHING.name]
    tasks = [
        Task(session, policy, window)
        for session in sorted(bench.sessions, key=lambda name: -bench.sessions[name].requests)
        for window in asked.window
        for policy in (*policies, FLOOR)
    ]
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("fork")) as processes:
        found = dict(zip(tasks, processes.map(played, tasks), strict=True))
    for title, sessions in groups(bench):
        for window in asked.window:
            print(f"\n{title}, {len(sessions)} sessions, window {window:,}")
            scores = {
                policy: [found[Task(session, policy, window)] for session in sessions]
                for policy in (*policies, FLOOR)
            }
            table(HEAD, list(rows(scores)))
    print(f"\n{len(tasks)} plays in {time.monotonic() - begun:.0f} s")


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sessions", type=Path, nargs="+", help="other folders of recordings")
    parser.add_argument("--skip", default="", help="sessions without this in their name")
    parser.add_argument("--only", default="", help="sessions with this in their name")
    parser.add_argument(
        "--pool", default="", help=f"one of {', '.join(sorted(set(POOLS.values())))}"
    )
    parser.add_argument("--half", choices=("choose", "show", "both"), default="both")
    parser.add_argument("--window", type=int, nargs="+", default=WINDOWS)
    parser.add_argument("--policy", default="", help="policies with this in their name")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="SECTION.NAME=VALUE[,...]",
        help="one more policy: ours with these settings, as pruning.protect_turns=2",
    )
    parser.add_argument("--profiles", action="store_true", help="every profile, not cheap alone")
    parser.add_argument(
        "--scenarios", action="store_true", help="the scripted scenes through the real server"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    return parser


def show_scenarios(windows: Sequence[int], only: str) -> None:
    """Print what the last request needs and shows, and the price of the work, beside all kept."""
    chosen = [scenario for scenario in SCENARIOS if only in scenario.name]
    kept: dict[str, Played] = {}
    with directed() as director, TemporaryDirectory() as home:
        for window in (EVERYTHING, *windows):
            lines: list[list[str]] = []
            with server(Path(home) / str(window), director, window) as product:
                for scenario in chosen:
                    found = play_scene(scenario, product, director)
                    lines.append(scene(scenario.name, found, kept, budget_for(window)))
            print(f"\nwindow {window:,}" if window != EVERYTHING else "everything kept")
            table(SCENE_HEAD, lines)


def scene(name: str, found: Played, kept: dict[str, Played], budget: Budget) -> list[str]:
    """The row of one scenario; the first is the one with everything kept."""
    whole = kept.setdefault(name, found)
    return [
        name,
        "yes" if max(whole.tokens) < budget.warning else "no",
        "/".join(str(found.results[form]) for form in ("whole", "cut", "notes")),
        f"{budget.percent(max(found.tokens)):.0f} %",
        f"{found.last_stood} of {found.last_needed}",
        f"{found.stood} of {found.needed}",
        str(found.readings),
        str(found.late),
        str(found.requests),
        f"{found.cost / whole.cost:.3f}",
    ]


def gathered(asked: argparse.Namespace) -> Bench:
    """Read the recordings, making those that are missing, and the settings of ours."""
    ledger = Ledger(Counters().of("gpt-4o").count)
    folders = asked.sessions or [SESSIONS, made_here()]
    found = {name: said for folder in folders for name, said in load(folder, asked.only)}
    found = {name: said for name, said in found.items() if not (asked.skip and asked.skip in name)}
    halves = {name: half_of(name, list(found)) for name in found if asked.pool in pool_of(name)}
    names = [name for name, half in halves.items() if asked.half in ("both", half)]
    profiles = PROFILES if asked.profiles else ["default", "cheap"]
    own = {OWN if name == "default" else f"{OWN}, {name}": {"profile": name} for name in profiles}
    own |= {f"{OWN}, {each}": layer_of(each) for each in asked.set}
    return Bench(
        {name: recording(name, found[name], ledger.bare) for name in names},
        halves,
        ledger,
        {name: merge([Layer(name, layer)]).settings for name, layer in own.items()},
    )


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
    held = read_recording(path)
    return tuple(spoken_in(held.entries)) if isinstance(held, Exported) else held


def layer_of(told: str) -> dict[str, object]:
    """The settings that an argument names."""
    layer: dict[str, dict[str, object]] = {}
    for each in told.split(","):
        path, _, value = each.partition("=")
        section, _, name = path.partition(".")
        layer.setdefault(section, {})[name] = json.loads(value)
    return dict(layer)


def pool_of(name: str) -> str:
    if VERY_LONG in name:
        return "795k day"
    kind = name.partition("__")[0]
    return POOLS.get(kind, kind)


def half_of(name: str, names: Sequence[str]) -> str:
    """Whether a session chooses settings or shows them, by a fixed rule."""
    if name.startswith("half-"):
        return "choose" if name.startswith("half-a") else "show"
    pool = sorted(each for each in names if pool_of(each) == pool_of(name))
    return "show" if pool.index(name) % 2 else "choose"


def groups(bench: Bench) -> Iterator[tuple[str, list[str]]]:
    """The tables: each pool, all, and both halves of all."""
    names = list(bench.sessions)
    pools = dict.fromkeys(map(pool_of, names))
    for pool in pools:
        yield pool, [name for name in names if pool_of(name) == pool]
    if len(pools) > 1:
        yield "all", list(names)
        for half in ("choose", "show"):
            yield f"those that {half}", [each for each in names if bench.halves[each] == half]


def rows(scores: Mapping[str, Sequence[Score]]) -> Iterator[list[str]]:
    for policy, found in scores.items():
        sums = pooled(found)
        each = [*zip(found, scores[NOTHING.name], scores[FLOOR], strict=True)]
        yield [
            policy,
            f"{mean(one.paid / whole.paid for one, whole, _ in each):.3f}",
            f"{mean(one.whole_cost / whole.paid for one, whole, _ in each):.3f}",
            f"{max(one.whole_cost / whole.paid for one, whole, _ in each):.3f}",
            f"{mean(one.whole_cost / least.whole_cost for one, _, least in each):.3f}",
            f"{sums.requests + sums.sight.readings:,}",
            f"{sums.sight.late:,}",
            *map(share, (sums.sight.spans, sums.sight.tokens, sums.sight.lines)),
            f"{sums.sight.edits.stood}/{sums.sight.edits.needed}",
            share(sums.sight.names),
            *(f"{count:,}" for count in (sums.steps, sums.summaries, sums.over)),
        ]


def share(tally: Tally) -> str:
    return f"{tally.share:.1f}"


def pooled(found: Iterable[Score]) -> Score:
    total = Score()
    for one in found:
        total.add(one)
    return total


if __name__ == "__main__":
    main()
