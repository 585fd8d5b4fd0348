"""`plimsoll doctor`: checks what is installed, configured and writable; asks no model unbidden."""

import asyncio
import os
import platform
import sqlite3
import tempfile
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from importlib.metadata import version
from pathlib import Path

from plimsoll import __version__
from plimsoll.catalog.models import catalog, model_facts
from plimsoll.connections.facts import window_of
from plimsoll.errors import PlimsollError
from plimsoll.model_addresses import KEY_VARIABLES, address_of, key_variable
from plimsoll.model_servers import check_model, offered_models
from plimsoll.models import OpenModels
from plimsoll.profiles import shown_profiles
from plimsoll.rules import find_sandbox
from plimsoll.settings import Settings, config_path
from plimsoll.settings.shape import ModelSettings
from plimsoll.storage.database.journal import FileSystem, describe_journal, file_system
from plimsoll.storage.forgetting import list_kept
from plimsoll.storage.locate import data_folder, log_folder, paths_of
from plimsoll.storage.registry import open_store
from plimsoll.storage.rows_file import kept_files
from plimsoll.storage.salvage import check_store, salvage
from plimsoll.telemetry.log_file import LOG_FILE, MOST_BYTES, MOST_FILES
from plimsoll.terminal.checked import check_facts, offered_label
from plimsoll.terminal.commands.mcp.checkup import ask_servers, check_servers
from plimsoll.terminal.opening import folder_of, remedy_of, settings_of
from plimsoll.terminal.screen import Screen
from plimsoll.text.wording import plural
from plimsoll.tokens.vocabulary import SHIPPED, VOCABULARIES, build_encoding
from plimsoll.tools.search.ripgrep import find_ripgrep
from plimsoll.tools.written_over import KEPT, unfinished_words, unfinished_writes

LIBRARIES = ("pygls", "pydantic", "tiktoken", "aiosqlite", "httpx", "rich")
OLD_DAYS = 365
"""From here on the table of models is called old."""
WINDOW_SOURCES = {
    "setting": "(as set)",
    "table": "(as the table of models has it)",
    "assumed": "(assumed: set model.context_window, unless its server says it)",
}
WAL_RESET_FIXED = (3, 51, 3)
"""The first SQLite without the defect by which two checkpoints at once can lose a commit."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A line of the report."""

    name: str
    state: str
    """``ok``, ``note`` or ``wrong``."""
    told: str


def doctor(options: Namespace, screen: Screen) -> int:
    """Print the findings, or salvage the store; 0 if nothing is wrong."""
    if options.salvage:
        return _salvage(Path(options.workspace).expanduser(), screen)
    if options.editors:
        # Late: it is asked for seldom.
        from plimsoll.terminal.editors.checkup import check_editors

        return check_editors(screen)
    findings = list(_findings(options, folder_of(options.workspace), screen))
    screen.table("Plimsoll's doctor", ("what", "state", "found"), [_row(one) for one in findings])
    return 1 if any(one.state == "wrong" for one in findings) else 0


def _salvage(root: Path, screen: Screen) -> int:
    """Save the readable part of a damaged store, and print what was saved."""
    done = salvage(paths_of(root, data_folder(os.environ)).folder)
    screen.line(
        f"Saved into a new store: {plural(done.sessions, 'session')} with "
        f"{plural(done.entries, 'entry', 'entries')}, "
        f"{plural(done.memories, 'memory', 'memories')}, {plural(done.pins, 'pin')}. Known to be "
        f"missing: {plural(done.missing, 'entry', 'entries')}. "
        f"The damaged file is kept as it was in {done.damaged}, with all that was ever in it: "
        "remove it when you have what you need."
    )
    if done.left_team is not None:
        screen.line(
            f"The folder takes no part in the team's project {done.left_team!r} any more: join it "
            "again, and what colleagues shared comes back."
        )
    return 0


def _row(one: Finding) -> tuple[str, str, str]:
    return one.name, one.state, one.told


def _findings(options: Namespace, folder: Path, screen: Screen) -> Iterator[Finding]:
    yield Finding("plimsoll", "ok", f"{__version__}, Python {platform.python_version()}")
    yield Finding("libraries", "ok", ", ".join(f"{name} {version(name)}" for name in LIBRARIES))
    yield _sqlite(sqlite3.sqlite_version_info)
    yield _try_look("data folder", _data_folder)
    yield _journal(file_system(data_folder(os.environ)))
    yield _try_look("store", lambda: _store(folder))
    yield from _written_over(folder)
    yield Finding("log", "ok", _log())
    file = config_path()
    yield Finding("config", "ok", f"{file}{'' if file.exists() else ' (there is none)'}")
    try:
        settings = settings_of(options)
    except PlimsollError as error:
        yield _wrong("settings", error)
        yield Finding("model", "wrong", "not known, as the settings cannot be read")
    else:
        yield Finding("settings", "ok", "they can be read")
        yield _profile(settings)
        yield from asyncio.run(_models(settings, options))
        yield asyncio.run(_team(settings, options, folder))
        asked = asyncio.run(ask_servers(settings, options, screen)) if options.ask else ()
        for one in (*check_servers(settings), *asked):
            yield Finding(one.name, one.state, one.told)
    yield _catalog()
    yield _ripgrep(folder)
    yield from _sandbox(folder)
    for name in VOCABULARIES:
        yield _try_look(f"vocabulary {name}", lambda name=name: _vocabulary(name))


def _ripgrep(workspace: Path) -> Finding:
    found = find_ripgrep(os.environ, [workspace])
    if found is None:
        return Finding(
            "ripgrep",
            "note",
            "none outside of this folder: searches run in Python, which is slower",
        )
    return Finding("ripgrep", "ok", found)


def _profile(settings: Settings) -> Finding:
    held = next(one for one in shown_profiles(settings) if one.name == settings.profile)
    own = ", ".join(value.setting for value in held.values if value.overridden)
    told = f"{held.name}: {held.purpose}" + (f" Set otherwise by you: {own}." if own else "")
    return Finding("profile", "ok", told.removesuffix("."))


def _try_look(name: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(name, "ok", look())
    except PlimsollError as error:
        return _wrong(name, error)
    except OSError as error:
        return Finding(name, "wrong", f"{error.filename}: {error.strerror}")


def _wrong(name: str, error: PlimsollError) -> Finding:
    return Finding(name, "wrong", f"{error.message} {remedy_of(error) or ''}".rstrip())


def _sqlite(found: tuple[int, ...]) -> Finding:
    name = ".".join(map(str, found))
    if found >= WAL_RESET_FIXED:
        return Finding("sqlite", "ok", name)
    fixed = ".".join(map(str, WAL_RESET_FIXED))
    told = f"{name} has a known bug that {fixed} fixes; Plimsoll works around it"
    return Finding("sqlite", "note", told)


def _journal(found: FileSystem) -> Finding:
    return Finding(
        "store journal", "ok" if found.journal == "wal" else "note", describe_journal(found)
    )


def _store(folder: Path) -> str:
    """Check the store of a folder; raises StoreError if its sessions cannot be opened."""
    data = data_folder(os.environ)
    found = list_kept(data, folder)
    if not found:
        return f"nothing is kept of {folder} yet"
    place = found[0].folder
    state = "is whole" if check_store(place) else "can be opened, too large to be read through"
    counts = f"sessions: {found[0].sessions}, memories: {found[0].memories}"
    return f"{place} {state}; {counts}"


def _written_over(workspace: Path) -> Iterator[Finding]:
    """Name the files that a crash left half written, and how to restore them."""
    kept_texts = paths_of(workspace, data_folder(os.environ)).sessions / KEPT
    try:
        found = unfinished_writes(kept_texts)
    except OSError as error:
        yield Finding("unfinished write", "wrong", f"{error.filename}: {error.strerror}")
        return
    for each in found:
        yield Finding("unfinished write", "wrong", unfinished_words(each))


def _sandbox(workspace: Path) -> Iterator[Finding]:
    """Report the sandbox of commands, and why a stronger one does not work."""
    found = find_sandbox(os.environ, (workspace,), data=data_folder(os.environ), keep=False)
    given = found.confinement
    state = "ok" if given.coverage == "full" else "note"
    told = f"{given.rung}: {given.summary}" if found.sandbox else given.summary
    yield Finding("sandbox", "wrong" if found.less else state, told)
    if found.less:
        yield Finding("sandbox, less", "wrong", f"{found.less} Each command is asked about.")
    for one in found.unavailable:
        yield Finding(f"sandbox {one.rung}", "note", one.why)


def _data_folder() -> str:
    folder = data_folder(os.environ)
    there = next(path for path in (folder, *folder.parents) if path.exists())
    with tempfile.TemporaryFile(dir=there):
        return f"{folder} can be written" + ("" if there == folder else ", and will be made")


def _log() -> str:
    path = log_folder(data_folder(os.environ)) / LOG_FILE
    size = f"{MOST_FILES} files of {MOST_BYTES / 1e6:g} MB at most, without what anybody said"
    return f"{path}{'' if path.exists() else ' (nothing was logged yet)'}: {size}"


def _catalog() -> Finding:
    """Report how old the table of models is."""
    found = catalog()
    days = (datetime.now(UTC).date() - date.fromisoformat(found.date)).days
    age = plural(days, "day")
    told = f"of {found.date}, {age} old, from {'; '.join(found.sources)}"
    return Finding("table of models", "note" if days > OLD_DAYS else "ok", told)


async def _models(settings: Settings, options: Namespace) -> list[Finding]:
    kept = kept_files(os.environ, "sqlite", lambda _: None)
    models = OpenModels(settings, os.environ, options.secrets, kept=kept)
    hint = "" if options.ask else ". Not asked: `plimsoll doctor --ask` does it"
    found = [await _model(name, models, model, hint) for name, model in _models_by_use(settings)]
    asked = await _ask_models(models, settings) if options.ask else ()
    return [
        *found,
        *(Finding("refused", "note", told) for told in models.mends.describe_all()),
        *asked,
    ]


def _models_by_use(settings: Settings) -> list[tuple[str, ModelSettings]]:
    named = [("model", settings.model)]
    if settings.utility_model != settings.model:
        named.append(("utility model", settings.utility_model))
    return named


async def _ask_models(models: OpenModels, settings: Settings) -> list[Finding]:
    """Ask each model with one small request, and its server for its models."""
    found: list[Finding] = []
    for name, model in _models_by_use(settings):
        found.append(await _check_window(name, models, model))
        check = await check_model(models, model)
        if check.error is not None:
            found.append(_wrong(f"{name}, asked", check.error))
        for what, good, seen in check_facts(check):
            found.append(Finding(f"{name}, {what}", "ok" if good else "note", seen))
    return found


async def _check_window(name: str, models: OpenModels, model: ModelSettings) -> Finding:
    name = f"{name}, window"
    try:
        offered = await offered_models(models, model)
    except PlimsollError as error:
        return Finding(name, "note", f"the server did not list its models: {error.message}")
    wanted = model.id.partition("/")[2].lower()
    own = next((one for one in offered if one.name.lower() == wanted), None)
    if own is None:
        names = ", ".join(one.name for one in offered[:5])
        return Finding(name, "note", f"the server lists no model of that name, but {names}")
    return Finding(name, "ok" if own.window else "note", offered_label(own))


async def _model(name: str, models: OpenModels, model: ModelSettings, hint: str) -> Finding:
    """Report the configured model, without asking its provider for anything.

    It is never said to be ok where a turn would show that it is not. ``hint`` says how to find out.
    """
    try:
        await models.open(model.id)
    except PlimsollError as error:
        return _wrong(name, error)
    window, source = window_of(model)
    size = f"window {window:,} tokens {WINDOW_SOURCES[source]}"
    if not _takes_key(model):
        return Finding(name, "ok", f"{model.id}, {size}, no network")
    own = address_of(model) == address_of(replace(model, base_url=None))
    there = await models.has_key(model)
    variable = key_variable(model) or "the system's keyring"
    key = f"key in {variable}: {'set' if there else 'not set'}"
    proxy = models.network.now().proxy_for(address_of(model))
    way = f" by the proxy {proxy.url} ({proxy.source})" if proxy else ""
    told = f"{model.id}, {size}, {model.base_url or 'the address of the vendor'}{way}, {key}"
    if own and not there:
        remedy = f"Set {variable} to a valid key, or run `plimsoll connect`."
        return Finding(name, "wrong", f"{told}: it cannot answer. {remedy}")
    unknown = own and model_facts(model.name) is None
    doubt = ". No such model is known: check its name" if unknown else ""
    return Finding(name, "note", f"{told}{doubt}{hint}")


async def _team(settings: Settings, options: Namespace, folder: Path) -> Finding:
    """Ask the server of the project that the folder takes part in, if it does."""
    none = Finding("team", "ok", "this folder takes part in none")
    data = data_folder(os.environ)
    if not list_kept(data, folder):
        return none
    try:
        store = await open_store("sqlite", paths_of(folder, data), options.secrets, lambda _: None)
    except PlimsollError:
        return Finding("team", "note", "not known, as the store cannot be opened")
    try:
        joined = await store.replica.read_joined()
        if joined is None:
            return none
        # Late: most folders take part in none.
        from plimsoll.team.checkup import check_server, check_waiting
        from plimsoll.terminal.commands.team_surroundings import surroundings_of

        around = surroundings_of(folder, store.replica, options.secrets, settings)
        checked, waiting = await check_server(joined, around), await check_waiting(around)
        if checked.state == "wrong" or waiting.state == "ok":
            return Finding("team", checked.state, checked.told)
        return Finding("team", "note", f"{checked.told}; {waiting.name}: {waiting.told}")
    finally:
        await store.close()


def _takes_key(model: ModelSettings) -> bool:
    return model.provider in KEY_VARIABLES


def _vocabulary(name: str) -> str:
    encoding = build_encoding(SHIPPED, name)
    return f"{encoding.n_vocab:,} tokens, as published"
