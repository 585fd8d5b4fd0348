"""The model that a session talks to, and the port that opens models by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from plimsoll.context.budget import Basis, Budget, WindowSource
from plimsoll.context.pipeline.settings import PipelineSettings
from plimsoll.context.view.ledger import Ledger
from plimsoll.providers.base import Provider, ServedWindow
from plimsoll.session.ports.addresses import ModelAddress
from plimsoll.tokens.correction import EXACT, Correction, RawCount
from plimsoll.tokens.counter import Counter


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model that a session talks to."""

    id: str
    """``provider/name``."""
    name: str
    """The name by which the provider knows it."""
    provider: Provider
    budget: Budget
    settings: PipelineSettings
    ledger: Ledger
    basis: Basis
    margin: Callable[[int], int]
    """By how many tokens a count may be wrong."""
    raw: Callable[[str], RawCount]
    """Counts a text by kind, without the correction."""
    counter: Counter | None = None
    """Counts with the model's vocabulary; what it has counted of a log can be kept beside it."""
    correction: Correction = EXACT
    """What the provider's reports have taught about our count."""
    sees_images: bool | None = None
    """Whether it takes images; none: nobody knows."""
    window_source: WindowSource = "setting"
    set_window: int | None = None
    """The window as it is set; none where nobody has set one."""
    address: str = ""
    """Scheme, host and port of its server; empty: it has none."""
    local: bool = False
    """Whether that server is on this machine, where it may answer one request at a time."""


class Models(Protocol):
    """Opens models by name.

    Raises:
        ProviderModel: There is no such provider or model.
    """

    @property
    def default(self) -> str:
        """The model that the settings name, ``provider/name``."""
        ...

    async def open(self, model: str) -> Model:
        """Open a model, ready to count and to be asked."""
        ...

    def address(self, model: str) -> ModelAddress:
        """Return the present address of a model."""
        ...

    def utility_of(self, model: str) -> str:
        """Name the model that writes summaries for a session with this one."""
        ...

    def with_correction(self, model: Model, correction: Correction) -> Model:
        """Return the model with another correction of its counts, or the same if they are exact."""
        ...

    def with_window(self, model: Model, window: int, source: WindowSource) -> Model:
        """Return the model with another window, which it has from now on whoever opens it."""
        ...

    async def ask_window(self, model: Model, *, keyed: bool = False) -> ServedWindow | None:
        """Ask the model's server how large the window is; none where it was or could not be asked.

        ``keyed``: not without a key, but on this machine.
        """
        ...

    def as_set(self, model: Model) -> Model:
        """Return an open model with the marks and stages that are set now; its window stays."""
        ...

    async def utility_for(self, model: str) -> Model:
        """Return the model that writes summaries for a session with this one."""
        ...
