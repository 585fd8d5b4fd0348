"""`plimsoll bench`: plays recorded sessions through policies side by side, without a model.

Nothing is sent anywhere, and nothing is kept unless a page is asked for.
"""

import asyncio
import os
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from plimsoll.app.app import App, known_tools
from plimsoll.app.front import Front, ProcessInputs
from plimsoll.bench.comparison import Compared, largest_reductions, pool_scores
from plimsoll.bench.measuring import filling, play
from plimsoll.bench.policies import policies_in
from plimsoll.bench.recording import recording
from plimsoll.context.log.messages import Role
from plimsoll.errors import InvalidInput, LogInvalid, PlimsollError
from plimsoll.private_files import create_private
from plimsoll.session.project import Project
from plimsoll.session.transfer.exports import Exported
from plimsoll.session.transfer.incoming import Incoming, spoken_in
from plimsoll.storage.base import SessionRecord
from plimsoll.storage.locate import data_folder, projects_folder, root_of
from plimsoll.terminal.commands.recorded.bench_page import figures_of, page
from plimsoll.terminal.commands.recorded.replay import model_of, read_recording
from plimsoll.terminal.commands.stored import declining_asker, silent
from plimsoll.terminal.opening import settings_of
from plimsoll.terminal.screen import Screen
from plimsoll.text.wording import plural
from plimsoll.tools.ports.documents import NoDocuments

MOST_OWN = 30
"""Own sessions that are looked at, the newest."""
OWN_SECONDS = 50.0
"""How long own sessions are played; what is left then is said."""
_SHOWN = 8


@dataclass(frozen=True, slots=True)
class BenchSource:
    """A session to play."""

    name: str
    """Its file, or when it was; nothing that was said in it."""
    messages: tuple[Incoming, ...] = ()
    title: str | None = None


def bench(options: Namespace, screen: Screen) -> int:
    """Compare policies; 0 if anything could be compared."""
    own = options.mine or options.claude_code or options.codex
    if not own and not options.files:
        raise InvalidInput(
            "There is nothing to compare.",
            remedy="Name recorded sessions, or say --mine, --claude-code or --codex.",
        )
    model = asyncio.run(model_of(options))
    window = options.window or model.budget.window
    policies = policies_in(window, {f"Plimsoll, {window:,} tokens": model.settings})
    tools = known_tools()
    ends = time.monotonic() + OWN_SECONDS if own else float("inf")
    found: list[Compared] = []
    sources = list(_sources(options, screen))
    for number, read in enumerate(sources):
        if time.monotonic() > ends:
            screen.note(f"Left out: {plural(len(sources) - number, 'older session')}: time was up.")
            break
        source = read()
        name, messages = source.name, source.messages
        if not any(message.role is Role.ASSISTANT for message in messages):
            continue
        screen.passing(f"{source.title or name} ({number + 1} of {len(sources)})")
        one = recording(name, messages, model.ledger.bare)
        scores = {
            each.name: play(one, each, model.ledger, window, tools=tools) for each in policies
        }
        found.append(Compared(name, scores, filling(messages, model.ledger), source.title))
    screen.passing("")
    if not found:
        screen.note("No session was found.")
        return 1
    _tell(found, window, screen)
    if options.html:
        _write(Path(options.html), page(found, window))
        screen.line(f"The page is {options.html}.")
    return 0


def _sources(options: Namespace, screen: Screen) -> Iterator["partial[BenchSource]"]:
    """Yield a reader for each session, so that one file at a time is in memory."""
    for file in options.files:
        yield partial(_file, Path(file))
    folders: list[Path] = []
    if options.claude_code:
        home = os.environ.get("CLAUDE_CONFIG_DIR") or str(Path.home() / ".claude")
        folders += (Path(home) / "projects").glob("*/*.jsonl")
    if options.codex:
        home = os.environ.get("CODEX_HOME") or str(Path.home() / ".codex")
        folders += (Path(home) / "sessions").rglob("rollout-*.jsonl")
    newest = sorted(folders, key=lambda path: path.stat().st_mtime, reverse=True)
    for path in newest[:MOST_OWN]:
        yield partial(_transcript, path, screen)
    if options.mine:
        yield from (partial(_already_read, each) for each in asyncio.run(_own(options, screen)))


def _file(path: Path) -> BenchSource:
    held = read_recording(path)
    messages = tuple(spoken_in(held.entries)) if isinstance(held, Exported) else held
    return BenchSource(path.name.partition(".jsonl")[0], messages)


def _transcript(path: Path, screen: Screen) -> BenchSource:
    """Read one transcript of several; a file that cannot be read is reported and left out."""
    try:
        return _file(path)
    except (LogInvalid, InvalidInput) as error:
        screen.note(f"{path.name} is left out: {error.message}")
        return BenchSource(path.name)


def _already_read(source: BenchSource) -> BenchSource:
    return source


async def _own(options: Namespace, screen: Screen) -> list[BenchSource]:
    """Read the newest sessions of all folders from their stores; older ones are only listed."""
    front = Front(
        asker=declining_asker(screen),
        listener=silent,
        documents=NoDocuments(),
        trusted=lambda _: False,
    )
    given = ProcessInputs(variables=os.environ, secrets=options.secrets)
    app = App(settings_of(options), front, given)
    kept: list[tuple[Project, SessionRecord]] = []
    try:
        for root in await asyncio.to_thread(_folders):
            try:
                project = await app.project(root.as_uri())
                kept += [(project, record) for record in await project.list(MOST_OWN)]
            except PlimsollError as error:
                screen.note(f"The sessions of {root} are left out: {error.message}")
        newest = sorted(kept, key=lambda pair: pair[1].updated_at, reverse=True)[:MOST_OWN]
        return [await _session(project, record) for project, record in newest]
    finally:
        await app.close()


def _folders() -> list[Path]:
    """List the folders that still exist and have a store."""
    places = sorted(projects_folder(data_folder(os.environ)).glob("[!.]*"))
    roots = (Path(root) for place in places if (root := root_of(place)) is not None)
    return [root for root in roots if root.is_dir()]


async def _session(project: Project, record: SessionRecord) -> BenchSource:
    entries = await project.environment.store.entries(record.id)
    when = record.updated_at[:16].replace("T", ", ")
    return BenchSource(f"Session of {when} UTC", tuple(spoken_in(entries)), record.title or None)


def _tell(found: Sequence[Compared], window: int, screen: Screen) -> None:
    scores = pool_scores(found)
    raw = next(iter(scores.values()))
    rows = [(name, *figures_of(score, raw)) for name, score in scores.items()]
    heads = (
        "policy",
        "#cost",
        "#with readings",
        "#in sight",
        "#edits",
        "#names",
        "#rules",
        "#largest",
        "#over the window",
    )
    what = f"{plural(len(found), 'session')}, {plural(raw.requests, 'request')}"
    title = f"{what}, a window of {window:,} tokens"
    screen.table(title, heads, rows)
    total: dict[str, int] = {}
    for one in found:
        for what, tokens in one.filling.items():
            total[what] = total.get(what, 0) + tokens
    most = sorted(total.items(), key=lambda pair: -pair[1])
    whole = sum(total.values()) or 1
    filled = [(what, f"{n:,}", f"{100 * n / whole:.0f} %") for what, n in most[:_SHOWN]]
    screen.table("What filled them", ("what", "#tokens", "#share"), filled)
    left, more = largest_reductions(found, _SHOWN)
    reduced = [
        (name, str(one.request), one.stage, str(one.items), f"{one.before - one.after:,}")
        for name, one in left
    ]
    if reduced:
        screen.table("What Plimsoll would have reduced", _REDUCED, reduced)
    if more:
        screen.line(f"{more:,} smaller reductions are not shown.")


_REDUCED = ("session", "#request", "stage", "#items", "#tokens freed")


def _write(path: Path, text: str) -> None:
    try:
        if not path.exists():
            # It tells of sessions: nobody else has to read it.
            os.close(create_private(path))
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidInput(
            f"{path} cannot be written: {error.strerror}.", remedy="Name another file with --html."
        ) from error
