"""The addresses that were connected, with the models that they listed: kept, and no key of any.

Of a key the row says where it is looked for: in a variable, or in the editor's secret store and the
system's keyring, which find it by the address.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol, cast

from plimsoll.connections.ids import label_of
from plimsoll.model_addresses import OWN_ADDRESSES, OWN_PROVIDERS, key_variable
from plimsoll.providers.http.address import comparable
from plimsoll.settings.shape import ModelSettings

MOST_CONNECTIONS = 60
"""Addresses that are kept; the one that was used longest ago goes first."""
MOST_MODELS = 600
"""Models that are kept of an address: a large gateway lists about 400."""
MOST_USED = 30
"""Models of an address of which it is kept when they were used."""

Row = Mapping[str, object]


class KeptRows(Protocol):
    """The store of connections, as rows of texts and numbers.

    Both never raise: without the file, connections hold as long as the process.
    """

    def read(self) -> Sequence[Row]:
        """Return every row; an empty list if nothing can be read."""
        ...

    def change(self, change: Callable[[Sequence[Row]], Sequence[Row]]) -> None:
        """Replace all rows by the rows that a function makes of them, one process at a time."""
        ...


class RowsInMemory:
    """Rows that hold as long as the process."""

    def __init__(self) -> None:
        self._rows: Sequence[Row] = ()

    def read(self) -> Sequence[Row]:
        """Return every row."""
        return self._rows

    def change(self, change: Callable[[Sequence[Row]], Sequence[Row]]) -> None:
        """Replace all rows."""
        self._rows = change(self._rows)


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model that an address listed, with its window where it said one."""

    name: str
    window: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectedAddress:
    """An address at which models were connected."""

    provider: str
    base_url: str | None = None
    """None: the vendor's own."""
    variable: str | None = None
    """The variable that has its key; none: it is found by the address, or there is none."""
    models: tuple[ListedModel, ...] = ()
    """As the address listed them last."""
    used: Mapping[str, float] = field(default_factory=dict[str, float])
    """When a model was asked last, by its name, in seconds since 1970."""

    @property
    def address(self) -> str:
        """The address, the same for two ways to write it."""
        return comparable(self.base_url or OWN_ADDRESSES.get(self.provider, ""))

    @property
    def last_used(self) -> float:
        """When one of its models was asked last, in seconds since 1970; 0: never."""
        return max(self.used.values(), default=0.0)

    def settings_for(self, name: str) -> ModelSettings:
        """Return the settings that reach a model at this address."""
        # A vendor's usual variable is for its own address: another one is reached without it.
        found_by_address = self.variable is None and self.base_url is not None
        return ModelSettings(
            provider=self.provider,
            name=name,
            base_url=self.base_url,
            api_key_env=self.variable,
            api_key_keyring=found_by_address,
        )

    def same(self, other: "ConnectedAddress") -> bool:
        """Tell whether another connection has the same dialect and address."""
        return (self.provider, self.address) == (other.provider, other.address)


def connection_of(model: ModelSettings) -> ConnectedAddress:
    """Return the address of a model that is set, without its models."""
    variable = key_variable(model) if model.base_url is not None else model.api_key_env
    return ConnectedAddress(provider=model.provider, base_url=model.base_url, variable=variable)


class Connections:
    """The addresses that were connected; equal for all that use the same rows."""

    def __init__(
        self,
        rows: KeptRows | None = None,
        now: Callable[[], float] = time.time,
        redact: Callable[[str], str] = str,
    ) -> None:
        """``redact`` finds a key in an address; such an address is not kept."""
        self._rows: KeptRows = rows or RowsInMemory()
        self._now = now
        self._redact = redact
        self._known: tuple[ConnectedAddress, ...] = ()
        """As they were read last: what was connected stays reachable as long as the process."""
        self._last: tuple[str, str, str] | None = None

    def all(self) -> tuple[ConnectedAddress, ...]:
        """Return the connections, the one used last first."""
        known = _connections(self._rows.read())
        self._known = tuple(sorted(known, key=lambda each: -each.last_used))
        return self._known

    def find(self, provider: str, label: str) -> ConnectedAddress | None:
        """Find a connection by the provider and address in a model's id."""

        def among(known: Sequence[ConnectedAddress]) -> ConnectedAddress | None:
            said = provider, label
            return next((c for c in known if (c.provider, label_of(c.address)) == said), None)

        return among(self._known) or among(self.all())

    def keep(
        self,
        connected: ConnectedAddress,
        models: Sequence[ListedModel] | None = None,
        used: str = "",
    ) -> None:
        """Keep an address and the models it lists; ``used``: the model that is asked there now."""
        wanted = replace(connected, models=tuple(models or ())[:MOST_MODELS])
        if not self._may_keep(wanted):
            return

        def change(rows: Sequence[Row]) -> Sequence[Row]:
            known = _connections(rows)
            old = next((each for each in known if each.same(wanted)), None)
            times = {} if old is None else dict(old.used)
            times |= {used: self._now()} if used else {}
            newest = sorted(times.items(), key=lambda each: -each[1])[:MOST_USED]
            listed = old.models if models is None and old is not None else wanted.models
            new = replace(wanted, models=listed, used=dict(newest))
            rest = [each for each in known if not each.same(wanted)]
            rest.sort(key=lambda each: -each.last_used)
            # What is asked for the first time is never the one that goes.
            kept = [new, *rest[: MOST_CONNECTIONS - 1]]
            return [_row(each) for each in sorted(kept, key=lambda each: each.address)]

        self._rows.change(change)
        self.all()

    def note_use(self, model: ModelSettings) -> None:
        """Record the time at which a model is asked, if another one was asked before."""
        place = model.provider, model.base_url or "", model.name
        if place != self._last and model.provider not in OWN_PROVIDERS:
            self._last = place
            self.keep(connection_of(model), used=model.name)

    def forget(self, provider: str, base_url: str | None) -> bool:
        """Forget an address with its models; tells whether it was there."""
        gone = ConnectedAddress(provider=provider, base_url=base_url)
        before = len(self.all())

        def change(rows: Sequence[Row]) -> Sequence[Row]:
            known = _connections(rows)
            return [_row(each) for each in known if not each.same(gone)]

        self._rows.change(change)
        self._last = None
        return len(self.all()) < before

    def _may_keep(self, wanted: ConnectedAddress) -> bool:
        known = wanted.provider in OWN_ADDRESSES and wanted.address != ""
        told = f"{wanted.base_url} {wanted.variable}"
        return known and self._redact(told) == told


def _row(one: ConnectedAddress) -> Row:
    given = {"baseUrl": one.base_url, "variable": one.variable}
    return {
        "provider": one.provider,
        **{name: value for name, value in given.items() if value is not None},
        "models": [[each.name, each.window] for each in one.models],
        "used": {name: _moment(at) for name, at in one.used.items()},
    }


def _connections(rows: Sequence[Row]) -> list[ConnectedAddress]:
    return [each for each in map(_connection, rows) if each is not None]


def _connection(row: Row) -> ConnectedAddress | None:
    """Read a connection from a row; None if the row is malformed: the next write drops it."""
    provider, base_url, variable = row.get("provider"), row.get("baseUrl"), row.get("variable")
    if not isinstance(provider, str) or provider not in OWN_ADDRESSES:
        return None
    if not isinstance(base_url, str | None) or not isinstance(variable, str | None):
        return None
    models, used = row.get("models"), row.get("used")
    found = ConnectedAddress(
        provider=provider,
        base_url=base_url,
        variable=variable,
        models=tuple(
            _parse_models(cast("list[object]", models) if isinstance(models, list) else [])
        ),
        used=_times(cast("dict[str, object]", used) if isinstance(used, dict) else {}),
    )
    return found if found.address else None


def _parse_models(given: Sequence[object]) -> list[ListedModel]:
    found: list[ListedModel] = []
    for each in given:
        if isinstance(each, list):
            name, window = (*cast("list[object]", each), None, None)[:2]
            if isinstance(name, str) and name:
                found.append(ListedModel(name, window if isinstance(window, int) else None))
    return found[:MOST_MODELS]


def _times(given: Mapping[str, object]) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for name, at in given.items():
        try:
            found[name] = datetime.fromisoformat(str(at)).timestamp()
        except ValueError:
            continue
    return found


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
