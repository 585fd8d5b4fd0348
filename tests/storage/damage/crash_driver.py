"""Drives a store until it is killed, again and again, and says what was found afterwards.

    python crash_driver.py FOLDER SEED STORES ROUNDS

Operation ``n`` of a store is always the same, so after a kill the store must hold exactly the
first ``k`` operations or, when the kill came between commit and acknowledgement, one more. The
driver forks from one process that has loaded everything: starting Python each time would cost more
than the test itself. One JSON object a line and round is printed.
"""

import asyncio
import json
import os
import random
import signal
import sqlite3
import sys
import time
from dataclasses import replace
from pathlib import Path

from plimsoll.context.log.entries import Entry
from plimsoll.errors import StoreError
from plimsoll.storage.base import SessionRecord, SessionStore
from plimsoll.storage.locate import ProjectPaths, locate
from plimsoll.storage.registry import open_store

# Loaded before the forks; the registry would load them in each child.
from plimsoll.storage import sqlite as _sqlite  # isort: skip

from storage.samples import pair, record, unchanged

assert _sqlite

State = dict[str, tuple[SessionRecord, list[Entry]]]
LONGEST_LIFE = 0.05
"""Seconds, from the beginning or from the first acknowledgement."""


def operation(number: int) -> tuple[str, str]:
    """The kind and the session of an operation; every seventh session is deleted again."""
    session = f"s{number // 20}"
    step = number % 20
    if step == 0:
        return "create", session
    if step == 19 and number // 20 % 7 == 3:
        return "delete", session
    return ("update" if step % 6 == 5 else "append"), session


def expected_state(operations: int) -> State:
    state: State = {}
    for number in range(operations):
        kind, session = operation(number)
        match kind:
            case "create":
                state[session] = (record(session), [*pair(f"{number}x")])
            case "append":
                state[session][1].extend(pair(f"{number}x"))
            case "update":
                known, log = state[session]
                state[session] = (replace(known, turns=number), log)
            case _:
                del state[session]
    return state


async def perform(store: SessionStore, number: int) -> None:
    kind, session = operation(number)
    match kind:
        case "create":
            await store.create(record(session), pair(f"{number}x"))
        case "append":
            length = len(await store.entries(session))
            await store.append(session, pair(f"{number}x"), length)
        case "update":
            known = await store.get(session)
            await store.update(replace(known, turns=number), known)
        case _:
            await store.delete(session)


def fail(error: StoreError) -> None:
    raise error


async def live(paths: ProjectPaths, first: int, acknowledge: int) -> None:
    store = await open_store("sqlite", paths, unchanged, fail)
    number = first
    while True:
        await perform(store, number)
        number += 1
        os.write(acknowledge, f"{number}\n".encode())


async def found_state(paths: ProjectPaths) -> State:
    store = await open_store("sqlite", paths, unchanged, fail)
    try:
        sessions = await store.sessions()
        return {known.id: (known, await store.entries(known.id)) for known in sessions}
    finally:
        await store.close()


def inspect(paths: ProjectPaths, acknowledged: int) -> int | str:
    """How many operations the store holds, or what is wrong with it."""
    found = asyncio.run(found_state(paths))
    with sqlite3.connect(paths.folder / "plimsoll.db") as connection:
        answer = connection.execute("PRAGMA integrity_check").fetchone()[0]
    connection.close()
    if answer != "ok":
        return f"integrity: {answer}"
    for held in (acknowledged, acknowledged + 1):
        if found == expected_state(held):
            return held
    return f"neither {acknowledged} nor {acknowledged + 1} operations: {sorted(found)}"


def one_life(paths: ProjectPaths, first: int, seconds: float, *, working: bool) -> int:
    """Live for a while, and return how many operations were acknowledged in all.

    ``working``: the time counts from the first acknowledgement, so that work is what is cut off;
    else it may be the opening.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        asyncio.run(live(paths, first, writing))
    os.close(writing)
    begun = os.read(reading, 1) if working else b""
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as pipe:
        lines = (begun + pipe.read()).split(b"\n")
    if os.WTERMSIG(status) != signal.SIGKILL:
        raise RuntimeError(f"the driver ended by itself: {status}")
    return int(lines[-2]) if len(lines) > 1 else first


def main(folder: Path, seed: int, stores: int, rounds: int) -> None:
    chance = random.Random(seed)
    for index in range(stores):
        root = folder / f"project-{index}"
        root.mkdir()
        paths = locate(root, folder / "data")
        held: int | str = 0
        for _ in range(rounds):
            if isinstance(held, str):
                break
            working = chance.random() < 0.8
            seconds = chance.uniform(0, LONGEST_LIFE)
            acknowledged = one_life(paths, held, seconds, working=working)
            before, held = held, inspect(paths, acknowledged)
            line = {"before": before, "acknowledged": acknowledged, "held": held}
            sys.stdout.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
