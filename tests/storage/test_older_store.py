"""A store of the release before (commit c7adb82 stands for it) is opened as it is."""

import gzip
import os
from pathlib import Path

from plimsoll.memory.types import MemoryState
from plimsoll.private_files import create_private
from plimsoll.storage.locate import ProjectPaths
from storage.conftest import Open
from storage.samples import said

BEFORE = Path(__file__).parent / "fixtures" / "store_before.db.gz"
"""One session with a turn, a note that was remembered and a pin."""


async def test_the_store_of_the_release_before_is_used_as_it_is(
    opened: Open, paths: ProjectPaths
) -> None:
    os.close(create_private(paths.folder / "plimsoll.db"))
    (paths.folder / "plimsoll.db").write_bytes(gzip.decompress(BEFORE.read_bytes()))

    store = await opened()

    (session,) = await store.sessions()
    assert (session.agent, session.depth, await store.agents_of(session.id)) == (None, 0, [])
    assert session.addresses == ()
    entries = await store.entries(session.id)
    kept = await store.append(session.id, [said("more")], len(entries))
    assert (session.title, session.turns) == ("hello", 1)
    assert len(await store.entries(session.id)) == len(entries) + len(kept)
    contents = {one.content for one in await store.memories.memories({MemoryState.ACTIVE})}
    assert "We deploy from the branch release." in contents
    (copy,) = (paths.folder / "backups").iterdir()
    assert copy.read_bytes()[60:64] == gzip.decompress(BEFORE.read_bytes())[60:64]
