"""What sessions and their commands may use and spend, as the settings have it."""

import os
import platform
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from plimsoll.catalog.models import model_facts
from plimsoll.connections.facts import is_of_vendor
from plimsoll.memory.injection import InjectionLimits
from plimsoll.memory.upkeep.consolidation import ConsolidationLimits
from plimsoll.model_addresses import OWN_PROVIDERS
from plimsoll.session.ports.agent import Machine
from plimsoll.session.ports.prices import Tokens
from plimsoll.session.ports.rules import MemoryRules, SessionRules, SpendLimit
from plimsoll.settings import Settings, config_path
from plimsoll.settings.hooks import HookSettings
from plimsoll.settings.mcp import REFERENCE, McpSettings
from plimsoll.settings.shape import (
    MemorySettings,
    ModelSettings,
    SessionSettings,
    TurnSettings,
    WebSettings,
)
from plimsoll.storage.machine import machine_id
from plimsoll.tools import WebRules
from plimsoll.tools.custom.finding import CustomPlaces
from plimsoll.tools.files.skill_files import FOLDERS, SkillFolders
from plimsoll.tools.ports.hooks import EVENTS, Hook
from plimsoll.tools.ports.mcp import McpServer
from plimsoll.tools.process.confinement.base import Access, Probed
from plimsoll.tools.process.confinement.known import (
    SANDBOX_FILE,
    keep_sandbox,
    kept_sandbox,
    note_sandbox,
)
from plimsoll.tools.process.confinement.registries.hosts import Registries
from plimsoll.tools.process.confinement.seen.home import home_folder
from plimsoll.tools.process.confinement.seen.looks import is_folder, is_there, real
from plimsoll.tools.process.confinement.weakening import compare_with_known, rung_of
from plimsoll.tools.process.environment import child_environment
from plimsoll.tools.process.processes import shell_path
from plimsoll.tools.process.supervision.fork_server import ForkServer


def session_rules(settings: Settings) -> SessionRules:
    """Return the rules of sessions, such as spend limits, as the settings say."""
    return SessionRules(
        memory=_memory_rules(settings.memory),
        steps=settings.turn.max_steps,
        spending=_spend_limits(settings.turn, settings.session),
        confined_unasked=settings.permission.confined_commands,
        registries_unasked=settings.permission.confined_registries,
        agent_model=settings.subagent.model or None,
        named_models=_named_models(settings),
        agent_steps=settings.subagent.max_steps,
        hooks=tuple(_hooks(settings.hooks)),
    )


def _named_models(settings: Settings) -> tuple[str, ...]:
    named = (settings.model, settings.utility_model)
    ids = (each.id for each in named if each.name)
    return (*ids, *filter(None, [settings.subagent.model]), *settings.models)


def _hooks(settings: HookSettings) -> Iterator[Hook]:
    for event in EVENTS:
        for each in getattr(settings, event):
            yield Hook(
                event=event, command=each.command, matcher=each.matcher, seconds=each.timeout
            )


def _memory_rules(memory: MemorySettings) -> MemoryRules:
    return MemoryRules(
        enabled=memory.enabled,
        recall=memory.recall_limit if memory.enabled else 0,
        injection=InjectionLimits(
            relevant=memory.inject_limit,
            working=memory.working_limit,
            digests=memory.summary_limit,
            tokens=memory.inject_tokens,
            index_lines=memory.index_lines,
            index_bytes=memory.index_bytes,
        ),
        consolidation=ConsolidationLimits(memory.working_days, memory.summaries_kept),
        extraction=memory.extraction if memory.enabled else "off",
        quiet_seconds=memory.extraction_seconds,
    )


def _spend_limits(turn: TurnSettings, session: SessionSettings) -> tuple[SpendLimit, ...]:
    limits = (
        SpendLimit("turn", "tokens", turn.spend_limit_tokens),
        SpendLimit("turn", "money", turn.spend_limit_money),
        SpendLimit("session", "tokens", session.spend_limit_tokens),
        SpendLimit("session", "money", session.spend_limit_money),
    )
    return tuple(limit for limit in limits if limit.most)


def web_rules(web: WebSettings, variables: Mapping[str, str]) -> WebRules:
    """Return what a person has allowed of the web, with the key of the search service."""
    return WebRules(
        fetch=web.fetch,
        allow_hosts=web.allow_hosts,
        proxy_resolves=web.proxy_resolves,
        search_url=web.search_url,
        search_key=variables.get(web.search_key_env or "", "").strip(),
    )


def mcp_servers(
    servers: Mapping[str, McpSettings], variables: Mapping[str, str]
) -> tuple[McpServer, ...]:
    """Return the person's MCP servers; each ``${NAME}`` is replaced by the variable's value."""

    def read(text: str) -> str:
        return REFERENCE.sub(lambda found: variables.get(found[1], ""), text)

    return tuple(
        McpServer(
            name=name,
            command=tuple(read(part) for part in (one.command, *one.args)) if one.command else (),
            environment={key: read(text) for key, text in one.env.items()},
            url=read(one.url) if one.url else None,
            headers={key: read(text) for key, text in one.headers.items()},
            client_id=read(one.client_id) or None,
            client_secret=read(one.client_secret) or None,
            enabled=one.enabled,
            off_tools=frozenset(one.off_tools),
            missing=tuple(sorted(set(one.references()) - {k for k, v in variables.items() if v})),
        )
        for name, one in servers.items()
    )


def mcp_secrets(
    servers: Mapping[str, McpSettings], variables: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the variables that servers are given by reference, as far as they are set."""
    names = {
        found[1]
        for one in servers.values()
        for text in (*one.env.values(), *one.headers.values(), one.client_secret)
        for found in REFERENCE.finditer(text)
    }
    return {name: variables[name] for name in sorted(names) if variables.get(name)}


def skill_folders(root: Path, variables: Mapping[str, str]) -> SkillFolders:
    """Return the folders that hold the skills of a workspace and of the person."""
    home = Path(variables.get("HOME") or Path.home())
    own = (config_path().parent / "skills", *(home / name for name in FOLDERS))
    return SkillFolders(root, own)


def custom_places(root: Path, variables: Mapping[str, str]) -> CustomPlaces:
    """Return where the custom commands and agents of a workspace and of the person are."""
    home = Path(variables.get("HOME") or Path.home())
    return CustomPlaces(root, home, config_path().parent)


def hook_folder() -> Path:
    """Return the folder beside the person's settings whose programs hooks may read."""
    return config_path().parent / "hooks"


def cost_of(model: ModelSettings, tokens: Tokens) -> float | None:
    """Return the cost of a model's tokens in US dollars, rather too high than too low.

    Null if unknown: prices are the vendor's own, and another host asks what it likes.
    """
    if model.provider in OWN_PROVIDERS:
        return 0.0
    facts = model_facts(model.name)
    prices = facts.prices_for(tokens.input) if facts else None
    if prices is None or not is_of_vendor(model):
        return None
    read = prices.input if prices.cache_read is None else prices.cache_read
    # What was not read from the cache may have been written to it.
    plain = max(prices.input, prices.cache_write or 0)
    dollars = (tokens.input - tokens.cached) * plain + tokens.cached * read
    return (dollars + tokens.output * prices.output) / 1_000_000


def access_of(allowed: Settings, root: Path, *, data: Path, caches: Path, network: bool) -> Access:
    """Return the files and the network that a command may use in a folder.

    ``data``: the folder of all stores, which is hidden. ``network``: the command asks for it.
    Commands that may run unasked write in the folder alone, so none commits from a worktree.
    """
    settings = allowed.sandbox
    registries = Registries(settings.registries) if settings.network == "registries" else None
    whole = network or settings.network is True
    return Access(
        root=root,
        home=home_folder(os.environ),
        caches=Path(os.path.realpath(caches)),
        readable=_folders(settings.readable),
        writable=_folders(settings.writable),
        network=whole,
        registries=None if whole else registries,
        unix_sockets=settings.unix_sockets,
        commits=not allowed.permission.confined_commands,
        hidden=(Path(os.path.realpath(data)),),
    )


def find_sandbox(
    variables: Mapping[str, str],
    workspaces: Iterable[Path],
    fork_server: ForkServer | None = None,
    data: Path | None = None,
    *,
    keep: bool = True,
) -> Probed:
    """Find the strongest sandbox that works here; no program of a workspace counts. Blocks.

    ``fork_server``: starts the commands; None: one for this alone. ``data``: the user's folder,
    which records the sandbox that works, so that a weaker one is never taken silently. ``keep``:
    whether to write that record, or only read it.
    """
    # Loaded late: start-up needs none of it.
    from plimsoll.tools.process.confinement.probe import probe

    found = probe(child_environment(variables), workspaces, fork_server=fork_server)
    if data is None or not (keep or is_there(data / SANDBOX_FILE)):
        return compare_with_known(found, None)
    machine, now = machine_id(data), rung_of(found)
    known = kept_sandbox(data, machine)
    weighed = compare_with_known(found, known)
    if keep and weighed.less is None and now not in ("none", known):
        note_sandbox(data, machine, now)
    return replace(weighed, accept=partial(keep_sandbox, data, machine, now))


def command_environment(
    settings: Settings, variables: Mapping[str, str], root: Path
) -> dict[str, str]:
    """Return the environment of commands in a workspace folder."""
    return child_environment(variables, settings.shell.environment, str(root))


def _folders(named: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the real paths of the folders that exist; ``~`` is the home folder."""
    home = str(home_folder(os.environ))
    paths = (re.sub(r"^~(?=/|$)", lambda _: home, name) for name in named)
    led = (real(Path(path)) for path in paths if path.startswith("/"))
    return tuple(path for path in led if path and is_folder(path))


def this_machine(data: Path) -> Machine:
    """Describe the machine that this process runs on; its id is kept in the user's data. Blocks."""
    shell = shell_path()
    release = ".".join(platform.release().split(".")[:2])
    named = Path(shell).name if shell else "none"
    return Machine(f"{platform.system()} {release}", named, machine_id(data))
