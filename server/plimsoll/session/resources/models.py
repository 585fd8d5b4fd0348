"""The models that a session may ask: where each answers now, and what its server says of it."""

from collections.abc import Callable, Collection, Sequence

from plimsoll.providers.base import ServedWindow
from plimsoll.session.ports.addresses import Verdict, verdict
from plimsoll.session.ports.environment import Environment
from plimsoll.session.ports.model import Model, Models
from plimsoll.session.ports.rules import SessionRules
from plimsoll.storage.base import HeldAddress


class SessionModels:
    """The models of a folder as its sessions may use them on this machine."""

    def __init__(self, environment: Environment) -> None:
        self.all: Models = environment.models
        """All models that can be opened by name."""
        self.machine = environment.machine.id
        """The machine, as far as addresses on it are not those of another one."""
        self.trusted = environment.trusted
        """Tells whether the person trusts the folder, whose settings may have named an address."""
        self._rules: Callable[[], SessionRules] = environment.rules

    def address(self, model: str) -> HeldAddress:
        """Return the present address of a model."""
        return self.all.address(model).held_address(self.machine)

    def addresses(self, model: str) -> Sequence[HeldAddress]:
        """List the addresses of a session with a model: for answers, summaries and subagents."""
        named = (model, self.all.utility_of(model), self._rules().agent_model or model)
        return [self.address(each) for each in named]

    def verdict(self, model: str, known: Collection[HeldAddress]) -> Verdict:
        """Decide whether a request may go to a model, given the session's ``known`` addresses."""
        return verdict(known, self.all.address(model), self.machine)

    async def open_for_agent(self, model: str) -> Model:
        """Open the model of the subagents of a session with a model."""
        return await self.all.open(self._rules().agent_model or model)

    async def ask_window(self, model: Model) -> ServedWindow | None:
        """Ask a model's server for its window; None in a folder that is not trusted."""
        return await self.all.ask_window(model) if self.trusted() else None
