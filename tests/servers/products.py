"""The product as a client of a server, in every dialect: a session is of the one that it names."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from product.harness import Product
from servers.running import MODEL, WINDOW

DIALECTS = ("openai", "anthropic", "openai-responses")
SHORT = "32"
"""Tokens of an answer: enough to see it stream."""
UNRELATED = {"PLIMSOLL_MEMORY__ENABLED": "false"}
"""For sessions of many tests in one folder: none is told of those before it."""
OF_DIALECT = """
[models."{dialect}/{model}"]
base_url = "{url}"
context_window = {window}
"""


class Listening(Protocol):
    """A server, wherever it runs."""

    @property
    def url(self) -> str: ...


@contextmanager
def connected(
    home: Path, server: Listening, *, key: str = "", window: int = WINDOW, **settings: str
) -> Iterator[Product]:
    """An opened client of a trusted folder; sessions speak chat completions unless they say so."""
    config = home / "config" / "plimsoll" / "config.toml"
    config.parent.mkdir(parents=True)
    fields = {"model": MODEL, "url": server.url, "window": window}
    config.write_text("".join(OF_DIALECT.format(dialect=each, **fields) for each in DIALECTS[1:]))
    own = {
        "PLIMSOLL_MODEL__PROVIDER": DIALECTS[0],
        "PLIMSOLL_MODEL__NAME": MODEL,
        "PLIMSOLL_MODEL__BASE_URL": server.url,
        "PLIMSOLL_MODEL__CONTEXT_WINDOW": str(window),
        "PLIMSOLL_BUDGET__RESERVE_OUTPUT_TOKENS": SHORT,
        "OPENAI_API_KEY": key,
        "ANTHROPIC_API_KEY": key,
    }
    product = Product(home, **{**own, **settings})
    product.timeout = 240.0
    with product:
        product.open()
        yield product


def session_in(product: Product, dialect: str) -> str:
    """Begin a session that speaks a dialect; returns its id."""
    params = {"workspaceFolder": product.uri, "model": f"{dialect}/{MODEL}"}
    return product.call("plimsoll/session/new", params)["session"]["id"]
