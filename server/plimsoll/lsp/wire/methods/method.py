"""What a method of the wire is: its name, its models, and who sends it.

The models are named, not imported: pydantic takes a fifth of the start-up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Literal, cast

if TYPE_CHECKING:
    from plimsoll.lsp.wire.base import Wire

Direction = Literal["clientToServer", "serverToClient"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A method of the wire; ``takes`` and ``gives`` name models of this folder as `file.Class`."""

    name: str
    takes: str
    gives: str | None
    help: str
    direction: Direction

    @property
    def params(self) -> type[Wire]:
        """The model of its params."""
        return _model(self.takes)

    @property
    def result(self) -> type[Wire] | None:
        """The model of its result; a notification has none."""
        return None if self.gives is None else _model(self.gives)

    @property
    def kind(self) -> Literal["request", "notification"]:
        """A request is answered, a notification is not."""
        return "notification" if self.gives is None else "request"


def _model(name: str) -> type[Wire]:
    file, _, model = name.rpartition(".")
    return cast("type[Wire]", getattr(import_module(f"plimsoll.lsp.wire.{file}"), model))


def request(name: str, takes: str, gives: str, text: str) -> Method:
    """List a request from client to server."""
    return Method(name=name, takes=takes, gives=gives, help=text, direction="clientToServer")


def question(name: str, takes: str, gives: str, text: str) -> Method:
    """List a request from server to client."""
    return Method(name=name, takes=takes, gives=gives, help=text, direction="serverToClient")


def notification(name: str, takes: str, text: str) -> Method:
    """List a notification from server to client."""
    return Method(name=name, takes=takes, gives=None, help=text, direction="serverToClient")


def by_name(methods: Iterable[Method]) -> dict[str, Method]:
    """Return methods by their names, in their order."""
    return {method.name: method for method in methods}
