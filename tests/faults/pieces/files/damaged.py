"""Damaged stores: the server lives, answers, and changes no file that it does not use.

What opens without a word holds all that was acknowledged, but for the end of a damaged log.
"""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from typing import Any

from faults.piece import Piece, Run, fail
from faults.server import Mortal, started
from faults.work import SETTINGS, Work, furnish, script
from plimsoll.errors import PlimsollError
from plimsoll.storage.locate import locate
from plimsoll.storage.salvage import salvage
from product.harness import texts

NAME = "plimsoll.db"
TURNS = 4
CASES_A_SERVER = 25
Damage = Callable[[Path, random.Random], None]


def run(found: Run) -> None:
    work = Work()
    sound = original(found.folder / "sound", work)
    cases = found.each()
    while some := list(islice(cases, 1)):
        home = found.folder / str(some[0][0])
        with started(home, {"mode": "echo"}) as server:
            server.open()
            for number, chance in chain(some, islice(cases, CASES_A_SERVER - 1)):
                with found.case(number):
                    one(found, server, sound, work, chance)
            server.call("plimsoll/status", {})
        shutil.rmtree(home)


def original(home: Path, work: Work) -> Path:
    """The folder of a store with sessions and memories whose server was killed: it has a log."""
    furnish(home / "workspace")
    with started(home, script(), **SETTINGS) as server:
        server.open()
        work.session = server.new_session()
        for _ in range(TURNS):
            work.turn(server)
        server.process.kill()
    return locate(home / "workspace", home / "data").folder


def one(found: Run, server: Mortal, sound: Path, work: Work, chance: random.Random) -> None:
    """Open a folder whose store is damaged, and use it as if nothing were wrong."""
    workspace = server.home / f"workspace-{chance.randrange(10**9)}"
    workspace.mkdir()
    folder = locate(workspace, server.home / "data").folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, mode=0o700)
    for name in (NAME, f"{NAME}-wal"):
        shutil.copyfile(sound / name, folder / name)
    damage = chance.choice(DAMAGES)
    damage(folder, chance)
    before = contents(folder)
    params = {"workspaceFolder": workspace.as_uri()}
    answers = [
        server.reply(server.request(method, given))
        for method, given in (
            ("plimsoll/session/list", params),
            ("plimsoll/session/load", params),
            ("plimsoll/session/new", params),
            ("plimsoll/memory/list", params),
        )
    ]
    errors = [answer["error"] for answer in answers if "error" in answer]
    if unforeseen := [error for error in errors if error["code"] == -32603]:
        fail(f"{damage.__name__}: {unforeseen}")
    found.count("refused" if errors else kept(work, damage, answers))
    after = contents(folder)
    if "error" in answers[0] and after != before:
        fail(f"{damage.__name__}: refused, and {changed(before, after)} changed")
    if after != before and not is_sound(folder):
        # Damage that no look at the opening shows is told when it is met.
        found.count("used with damage that does not show at once")
    if "error" in answers[0] and (folder / NAME).is_file():
        found.count("salvaged" if saved(folder) else "nothing to salvage")


def kept(work: Work, damage: Damage, answers: list[dict[str, Any]]) -> str:
    """What became of the acknowledged in a store that opened without a word.

    SQLite takes a log that was cut or hit for one that ends there, and an empty file for a new
    store; so does whoever lost the file. What is left is an earlier state then, whole and in order.
    """
    _, loaded, _, memories = (answer["result"] for answer in answers)
    held = {*texts(loaded), *(each["title"] for each in memories["memories"])}
    if held >= {*work.accepted, *work.answered, *work.remembered}:
        return "opened whole"
    if damage not in OF_THE_LOG:
        fail(f"{damage.__name__}: lost without a word: {sorted({*work.accepted} - held)}")
    spoken = [text for text in work.accepted if text in held]
    if spoken != work.accepted[: len(spoken)]:
        fail(f"{damage.__name__}: a hole in what was said: {spoken}")
    return "opened without the damaged end of their log"


def saved(folder: Path) -> bool:
    """Salvage what stands in a refused store: the damaged file is kept, the new one is sound."""
    before = contents(folder)
    try:
        done = salvage(folder)
    except PlimsollError:
        if contents(folder) != before:
            fail("a salvage that was refused changed the store")
        return False
    if contents(done.damaged) != before:
        fail("the damaged store is not as it was")
    if not is_sound(folder):
        fail("what was salvaged is not sound")
    return True


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of the store but its locks, and what SQLite makes of the log."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.is_file()
        and path.name.startswith(NAME)
        and not path.name.endswith(("-shm", "lock"))
    }


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    return sorted(
        name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
    )


def is_sound(folder: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"file:{folder / NAME}?mode=ro", uri=True)) as connection:
            return connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    except (sqlite3.Error, UnicodeDecodeError):
        return False


def patch(path: Path, chance: random.Random, *, first: int = 0, most: int = 20) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(chance.randrange(1, most + 1)):
        at, size = chance.randrange(first, len(data)), chance.choice([1, 4, 16, 400])
        data[at : at + size] = chance.randbytes(min(size, len(data) - at))
    path.write_bytes(data)


def header(folder: Path, chance: random.Random) -> None:
    data = bytearray((folder / NAME).read_bytes())
    at = chance.randrange(100)
    data[at : at + chance.choice([1, 2, 4])] = chance.randbytes(4)
    (folder / NAME).write_bytes(data)


def pages(folder: Path, chance: random.Random) -> None:
    patch(folder / NAME, chance, first=100)


def log(folder: Path, chance: random.Random) -> None:
    patch(folder / f"{NAME}-wal", chance)


def both(folder: Path, chance: random.Random) -> None:
    pages(folder, chance)
    log(folder, chance)


def cut_store(folder: Path, chance: random.Random) -> None:
    os.truncate(folder / NAME, chance.randrange((folder / NAME).stat().st_size))


def cut_log(folder: Path, chance: random.Random) -> None:
    path = folder / f"{NAME}-wal"
    os.truncate(path, chance.randrange(path.stat().st_size))


def emptied(folder: Path, chance: random.Random) -> None:
    for name in chance.choice([(NAME,), (f"{NAME}-wal",), (NAME, f"{NAME}-wal")]):
        (folder / name).write_bytes(b"")


def lost(folder: Path, chance: random.Random) -> None:
    (folder / chance.choice([NAME, f"{NAME}-wal"])).unlink()


def other_pages(folder: Path, chance: random.Random) -> None:
    """Pages that stand where others should."""
    data = (folder / NAME).read_bytes()
    whole = [data[at : at + 4096] for at in range(0, len(data), 4096)]
    one, other = chance.randrange(len(whole)), chance.randrange(len(whole))
    whole[one], whole[other] = whole[other], whole[one]
    (folder / NAME).write_bytes(b"".join(whole))


def other_file(folder: Path, chance: random.Random) -> None:
    (folder / NAME).write_bytes(chance.choice([b"x", bytes(8192), chance.randbytes(9_000)]))


def in_its_place(folder: Path, chance: random.Random) -> None:
    (folder / NAME).unlink()
    if chance.random() < 0.5:
        (folder / NAME).mkdir()
    else:
        (folder / NAME).symlink_to(folder.parent / "elsewhere")


def newer(folder: Path, chance: random.Random) -> None:
    data = bytearray((folder / NAME).read_bytes())
    data[60:64] = chance.randrange(90, 2**31).to_bytes(4, "big")
    (folder / NAME).write_bytes(data)


def foreign(folder: Path, chance: random.Random) -> None:
    data = bytearray((folder / NAME).read_bytes())
    data[68:72] = chance.randbytes(4)
    (folder / NAME).write_bytes(data)


def journal(folder: Path, chance: random.Random) -> None:
    (folder / f"{NAME}-journal").write_bytes(chance.randbytes(chance.choice([0, 600, 9_000])))


def rows(folder: Path, chance: random.Random) -> None:
    """Rows that SQLite reads and we cannot."""
    with closing(sqlite3.connect(folder / NAME, isolation_level=None)) as connection:
        junk = chance.choice(["{", "[]", '{"type":"said"}', '{"type":"later"}', "", "null"])
        connection.execute(
            "UPDATE entries SET body = ? WHERE rowid % 3 = ?", (junk, chance.randrange(3))
        )


OF_THE_LOG = (log, both, cut_log, emptied, lost)
DAMAGES: tuple[Damage, ...] = (
    header,
    pages,
    pages,
    log,
    both,
    cut_store,
    cut_log,
    emptied,
    lost,
    other_pages,
    other_file,
    in_its_place,
    newer,
    foreign,
    journal,
    rows,
)

PIECE = Piece(run=run, short=25, full=500)
