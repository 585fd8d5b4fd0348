"""Records what a command asked of the proxy in vain, for the reader of its result."""

from dataclasses import dataclass, field
from typing import Literal

RefusalKind = Literal["unlisted", "port", "address", "server", "malformed", "volume", "unheard"]
"""Why: the host is no registry; not by this port; its name leads to no public address; TLS named
another server; the request was not understood; too many bytes; nobody listens."""
MOST_REFUSALS = 20


@dataclass(frozen=True, slots=True)
class RegistryRefusal:
    """A host that a command could not reach; reported once, however often it was tried."""

    kind: RefusalKind
    subject: str = ""
    """The host; of what was not understood, what is wrong with it."""


@dataclass(slots=True)
class ProxyRecord:
    """Collects refused hosts, each once, up to the number that a person would read."""

    noted: list[RegistryRefusal] = field(default_factory=list[RegistryRefusal])
    _taken: int = 0

    def note(self, refusal: RegistryRefusal) -> None:
        """Add a refused host."""
        if refusal not in self.noted and len(self.noted) < MOST_REFUSALS:
            self.noted.append(refusal)

    def new(self) -> tuple[RegistryRefusal, ...]:
        """Return the refusals since the last call."""
        found = tuple(self.noted[self._taken :])
        self._taken += len(found)
        return found
