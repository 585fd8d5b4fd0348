"""Reads the notes of a log about the session: its agent, profile, machines and origin."""

from collections.abc import Iterable
from typing import Literal

from plimsoll.context.log.entries import Entry, Noted
from plimsoll.context.log.notes import AGENT, IMPORT, MACHINE, PROFILE, notes_of_kind
from plimsoll.session.ports.agent import AGENT_KINDS, MAIN, Agent
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note
from plimsoll.storage.shared.travel import CameFrom

Profile = Literal["full", "slim"]


def agent_note(agent: Agent, clock: Clock) -> Noted:
    """Make the note that a session is that of a subagent; a main agent's has no such note."""
    data: dict[str, object] = {"kind": agent.kind, "depth": agent.depth}
    if agent.name:
        data["name"] = agent.name
    if agent.tools is not None:
        data["tools"] = " ".join(sorted(agent.tools))
    return new_note(clock, AGENT, data)


def held_agent(entries: Iterable[Entry]) -> Agent:
    """Read from the newest note which agent a session is."""
    held = MAIN
    for note in notes_of_kind(entries, AGENT):
        kind = AGENT_KINDS.get(note.text("kind"))
        if kind is None:
            held = MAIN
            continue
        name, tools = note.maybe_text("name") or "", note.maybe_text("tools")
        allowed = None if tools is None else frozenset(tools.split())
        held = Agent(kind, note.count("depth"), name=name, tools=allowed)
    return held


def profile_note(profile: Profile, clock: Clock) -> Noted:
    """Make the note of the profile that holds from now on."""
    return new_note(clock, PROFILE, {"name": profile})


def held_profile(entries: Iterable[Entry]) -> Profile:
    """Read from the newest note which profile holds."""
    held: Profile = "full"
    for note in notes_of_kind(entries, PROFILE):
        held = "slim" if note.text("name") == "slim" else "full"
    return held


def machine_note(came: CameFrom, clock: Clock) -> Noted:
    """Make the note that the session goes on on this machine."""
    return new_note(clock, MACHINE, {"from": came.machine, "to": came.here})


def machines_before(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Read on which machines the session worked before it came to the one where it is now."""
    moves = [*notes_of_kind(entries, MACHINE)]
    here = moves[-1].text("to") if moves else ""
    return tuple(dict.fromkeys(each.text("from") for each in moves if each.text("from") != here))


def is_imported(entries: Iterable[Entry]) -> bool:
    """Tell whether a log was imported from a file, even if no entry was admitted."""
    return next(notes_of_kind(entries, IMPORT), None) is not None
