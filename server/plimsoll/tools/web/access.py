"""How the tools of the web reach it, as the person has set it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from plimsoll.network.checked import Reach
from plimsoll.network.proxies import Network
from plimsoll.network.resolving import Resolve, Resolver


@dataclass(frozen=True, slots=True, kw_only=True)
class WebRules:
    """What a person has allowed of the web."""

    fetch: bool = False
    """Whether pages may be fetched, each host after a question."""
    allow_hosts: tuple[str, ...] = ()
    """Hosts that may be machines of a private network, or this one."""
    proxy_resolves: bool = False
    """Whether a proxy is given names, so that nobody here checks their addresses."""
    search_url: str | None = None
    """The address of the search service; none: there is none."""
    search_key: str = field(default="", repr=False)
    """Its key, where it needs one."""


@dataclass(frozen=True, slots=True)
class Web:
    """The web as the person has set it now: a service of the tools."""

    rules: Callable[[], WebRules]
    network: Callable[[], Network]
    resolve: Resolve = field(default_factory=lambda: Resolver().resolve, repr=False)

    def reach(self, *also: str) -> Reach:
        """Return what may be connected to; ``also``: further hosts that the person named."""
        rules = self.rules()
        return Reach(
            network=self.network(),
            allowed=frozenset({*rules.allow_hosts, *also}),
            proxy_resolves=rules.proxy_resolves,
            resolve=self.resolve,
        )
