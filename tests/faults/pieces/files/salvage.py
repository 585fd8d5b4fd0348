"""Salvage of damaged stores: what stands on sound pages comes along, the damaged file is kept."""

import asyncio
import random
import shutil
from itertools import chain, islice
from pathlib import Path

from faults.piece import Piece, Run, fail
from plimsoll.errors import InvalidInput
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.registry import open_store
from plimsoll.storage.salvage import salvage
from storage.damage.damaged_stores import damage, files, fill, rows, standing

NAME = "plimsoll.db"
CASES_A_STORE = 50
LEAST_SAVED = 0.95
SOUND, SAVED = "rows on sound pages", "saved"


def run(found: Run) -> None:
    cases = found.each()
    while some := list(islice(cases, 1)):
        number, chance = some[0]
        whole = found.folder / f"whole-{number}"
        asyncio.run(filled(whole, chance))
        stands = standing(whole / NAME)
        for number, chance in chain(some, islice(cases, CASES_A_STORE - 1)):
            folder = found.folder / str(number)
            with found.case(number):
                one(found, folder, damage(chance, (whole / NAME).read_bytes()), stands)
            shutil.rmtree(folder)
    if found.figures[SAVED] < LEAST_SAVED * found.figures[SOUND]:
        found.violate(found.first, f"saved less than {LEAST_SAVED:.0%}")


async def filled(folder: Path, chance: random.Random) -> None:
    """A closed store with more or fewer rows of every kind."""
    folder.mkdir(parents=True)
    store = await open_store("sqlite", ProjectPaths(folder), str, print)
    await fill(
        store,
        sessions=chance.randrange(2, 13),
        pairs=chance.randrange(10, 40),
        memories=chance.randrange(10, 80),
    )
    await store.close()


def one(
    found: Run,
    folder: Path,
    damaged: tuple[bytes, set[int]],
    stands: list[tuple[object, frozenset[int]]],
) -> None:
    data, hit = damaged
    folder.mkdir()
    (folder / NAME).write_bytes(data)
    before = files(folder)
    wanted = {name for name, pages in stands if not pages & hit}
    try:
        done = salvage(folder)
    except InvalidInput as error:
        if files(folder) != before:
            fail("a salvage that was refused changed the store")
        if "is whole" in error.message:
            found.count("whole as far as SQLite sees")
        else:
            found.count("refused")
            found.count(SOUND, len(wanted))
        return
    if files(done.damaged) != before:
        fail("the damaged store is not as it was")
    kept = set().union(*rows(folder / NAME).values())
    found.count(SOUND, len(wanted))
    found.count(SAVED, len(wanted & kept))


PIECE = Piece(run=run, short=12, full=500)
