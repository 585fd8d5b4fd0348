"""What tokens of a model cost."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens that some requests took; ``input`` includes ``cached``."""

    input: int
    cached: int
    output: int


CostOf = Callable[[str, Tokens], float | None]
"""Tells what tokens of a model, ``provider/name``, cost in US dollars; none: it is not known."""


def no_price(_model: str, _tokens: Tokens) -> float | None:
    """Return None, for an unknown price."""
    return None
