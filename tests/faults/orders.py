"""A model outside of the server that may be killed: it knows each order that it ever gave.

An order is one call in one answer, and its command leaves a token that no other order has. So what
ran is told apart: an order that ran twice is the server's fault, and work that was done twice by
two orders is the model's.
"""

import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from faults.answers import Dialect
from faults.work import SETTINGS, steps
from providers.fault_server import Reply, running, stream

ASKED = re.compile(r"^number (\d+)$", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Order:
    """A call as it was ordered."""

    token: str
    call: str
    """Its id, which can be that of an earlier one: some servers begin anew with each answer."""
    turn: int
    request: int
    """The number of the request that it answered."""


@dataclass
class Orders:
    """All requests and all orders of one store, over all its servers."""

    chance: random.Random
    settings: dict[str, str]
    """By these a server reaches the model."""
    given: dict[str, Order] = field(default_factory=dict)
    requests: list[bytes] = field(default_factory=list)
    on_request: Callable[[int], None] = lambda _number: None
    """Called with the number of each request as it comes."""
    _tokens: Iterator[int] = field(default_factory=itertools.count)

    def decide(self, body: bytes) -> Reply:
        """Answer a request; without tools it is for a summary or for memories."""
        self.requests.append(body)
        self.on_request(len(self.requests))
        asked = json.loads(body)
        if not asked.get("tools"):
            return DIALECT.good("Nothing of note.")
        turn, step = newest(asked["messages"])
        ordered = steps(turn, f"{turn}.{next(self._tokens)}") if turn >= 0 else []
        if step >= len(ordered) or "calls" not in ordered[step]:
            return DIALECT.good(f"answered {turn}")
        calls = [
            self._order(turn, each["name"], each["arguments"]) for each in ordered[step]["calls"]
        ]
        return stream(b"".join(DIALECT.events("Now.", calls, "tool_calls")))

    def _order(self, turn: int, name: str, arguments: dict[str, Any]) -> tuple[str, str, str]:
        token = arguments.get("command", "").partition("echo ")[2].partition(" ")[0]
        own = len(self.given)
        call = f"call_{self.chance.randrange(3)}" if self.chance.random() < 0.3 else f"call_{own}x"
        token = token or f"-{own}"
        self.given[token] = Order(token=token, call=call, turn=turn, request=len(self.requests))
        return call, name, json.dumps(arguments)

    def told(self, ran: list[str]) -> Iterator[str]:
        """Say what ran that was not ordered, or more than once; each is the server's fault."""
        for token, times in Counter(ran).items():
            order = self.given.get(token)
            if order is None:
                yield f"{token} ran and was never ordered"
            elif times > 1:
                yield f"{order} ran {times} times; {self._trace(order)}"

    def again(self, ran: list[str]) -> int:
        """Count the turns whose work was ordered more than once and done more than once."""
        return sum(times - 1 for times in Counter(t.partition(".")[0] for t in set(ran)).values())

    def _trace(self, order: Order) -> str:
        held = [n for n, body in enumerate(self.requests, 1) if order.token.encode() in body]
        return f"of {len(self.requests)} requests these hold it: {held[:20]}"


DIALECT = Dialect("openai")


def newest(messages: list[dict[str, Any]]) -> tuple[int, int]:
    """The turn that is asked for, and how often the model has answered in it."""
    answers = 0
    for message in reversed(messages):
        text = message.get("content")
        said = text if isinstance(text, str) else json.dumps(text)
        found = ASKED.findall(said) if message["role"] == "user" else []
        if found:
            return int(found[-1]), answers
        answers += message["role"] == "assistant"
    return -1, answers


@contextmanager
def ordering(chance: random.Random) -> Iterator[Orders]:
    """A model that answers at a port of its own."""
    settings = {
        **SETTINGS,
        "PLIMSOLL_MODEL__PROVIDER": "openai",
        "PLIMSOLL_MODEL__NAME": "outside",
    }
    orders = Orders(chance, settings)
    with running(decide=orders.decide) as model:
        settings["PLIMSOLL_MODEL__BASE_URL"] = model.url
        yield orders
