"""Whether a session may be sent to an address: decided by where it was held. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from plimsoll.storage.base import HeldAddress

Reach = Literal["process", "machine", "network"]
Verdict = Literal["known", "begins", "ask"]


@dataclass(frozen=True, slots=True)
class ModelAddress:
    """Where a model answers, as it is set."""

    address: str
    """Equal for two ways to write the same one; of a model inside the process its provider."""
    reach: Reach
    """``process``: nothing leaves it; ``machine``: on each machine it is another one."""

    def held_address(self, machine: str) -> HeldAddress:
        """Return the address as a session records it, with this machine's id for a loopback one."""
        return HeldAddress(self.address, None if self.reach == "network" else machine)


def verdict(known: Collection[HeldAddress], now: ModelAddress, machine: str) -> Verdict:
    """Decide whether a session's next request may go to an address, given its ``known`` ones."""
    if now.held_address(machine) in known:
        return "known"
    if not known:
        return "begins"
    return "known" if now.reach == "process" else "ask"


PURPOSES: Mapping[str, str] = {
    "turn": "",
    "subagent": " for a subagent",
    "compaction": " to have it summarised",
    "extraction": " to have it read for memories",
    "commitMessage": " with the changes, for a commit message",
}


def describe_address(held: HeldAddress, machine: str) -> str:
    """Name an address for people, on this machine."""
    elsewhere = held.machine not in (None, machine)
    return f"{held.address} on another machine" if elsewhere else held.address


def describe_addresses(known: Collection[HeldAddress], machine: str) -> str:
    """Name all addresses that a session may be sent to."""
    return " and ".join(dict.fromkeys(describe_address(each, machine) for each in known))
