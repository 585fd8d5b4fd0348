"""Ids of models: `provider/name`, or `provider@address/name` at another address than the set one.

Pure. An address stands there without its scheme, and with `~` for a slash:
`openai@127.0.0.1:11434/llama3`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelId:
    """The id of a model, in its parts."""

    provider: str
    label: str | None
    """What it says of its address; none: the address is as it is set."""
    name: str


def split_id(model: str) -> ModelId:
    """Split a model's id into provider, address and name; a missing part is empty."""
    place, _, name = model.partition("/")
    provider, at, label = place.partition("@")
    return ModelId(provider, label if at else None, name)


def id_at(provider: str, address: str, name: str) -> str:
    """Return the id of a model at an address."""
    return f"{provider}@{label_of(address)}/{name}"


def label_of(address: str) -> str:
    """Return an address as an id spells it: without the usual port of https, with that of http."""
    scheme, _, rest = address.partition("://")
    host, _, path = rest.partition("/")
    bracketless = host.rpartition("]")[2]
    port = ":80" if scheme == "http" and ":" not in bracketless else ""
    return f"{host}{port}" + (f"~{path.replace('/', '~')}" if path else "")
