"""A session's first request in a folder of no team, and in one whose server is well or is not."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

from lsp.raw_client import RawClient
from product.harness import Product
from storage.postgres.rig.proxy import Proxy, between

NO_TEAM, WELL, SLOW, SILENT, AWAY = "no team", "well", "slow", "silent", "away"
KINDS = (NO_TEAM, WELL, SLOW, SILENT, AWAY)
ONE_WAY = 0.2
"""Seconds that each packet to or from the slow server is under way."""
SESSIONS = 40
"""Sessions of each kind, in turns, each with one request."""


class Window(Product):
    """A server in a folder of its own, in a process that has loaded nothing before."""

    begin = RawClient.begin

    def first_request(self) -> float:
        """Open a session and wait for an answer in it; return the milliseconds."""
        self.forget()
        begun = time.perf_counter()
        self.turn(self.new_session(), "Where were we?")
        return (time.perf_counter() - begun) * 1000


async def first_requests(url: str, project: str) -> list[list[str]]:
    """Measure the kinds in turns; return for each the median and what it adds to no team."""
    given = conninfo_to_dict(url)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        windows = {
            kind: opened.enter_context(
                Window(
                    Path(folder, kind),
                    {"mode": "echo"},
                    PLIMSOLL_TEAM_PASSWORD=str(given["password"]),
                )
            )
            for kind in KINDS
        }
        windows[NO_TEAM].open()
        async with AsyncExitStack() as kept, AsyncExitStack() as ending:
            for kind in KINDS[1:]:
                stack = ending if kind == AWAY else kept
                wire = await stack.enter_async_context(between(int(str(given["port"]))))
                windows[kind].open()
                await asyncio.to_thread(join, windows[kind], project, given, wire)
                wire.one_way = ONE_WAY if kind == SLOW else 0.0
                wire.is_silent = kind == SILENT
            await ending.aclose()
            return rows_of(await take_turns(windows))


def join(window: Window, project: str, given: Mapping[str, object], wire: Proxy) -> None:
    """Take part in the project, by way of a wire."""
    address = f"postgresql://{given['user']}@127.0.0.1:{wire.port}/{given['dbname']}"
    params = {"workspaceFolder": window.uri, "name": project, "url": address}
    window.call("plimsoll/team/join", params)


async def take_turns(windows: Mapping[str, Window]) -> dict[str, list[float]]:
    """Have each window open sessions, one window after the other."""
    took: dict[str, list[float]] = {kind: [] for kind in windows}
    for number in range(-1, SESSIONS):
        for kind, window in windows.items():
            spent = await asyncio.to_thread(window.first_request)
            if number >= 0:
                took[kind].append(spent)
    return took


def rows_of(took: Mapping[str, Sequence[float]]) -> list[list[str]]:
    plain = took[NO_TEAM]
    return [
        [
            kind,
            f"{statistics.median(spent):.0f}",
            f"{statistics.median(a - b for a, b in zip(spent, plain, strict=True)):+.0f}",
        ]
        for kind, spent in took.items()
    ]
