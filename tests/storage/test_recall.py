"""What every kind of store of exchanges keeps to."""

from collections.abc import AsyncIterator

import pytest

from plimsoll.redaction.secrets import Secrets
from plimsoll.storage.base import Exchange, Recalled
from plimsoll.storage.project import ProjectStore
from plimsoll.storage.registry import OPENERS
from storage.conftest import Open
from storage.samples import AT, record

PORT = Exchange(4, AT, "Which port does the gateway use?", "The gateway listens on 8443.")
PAINT = Exchange(9, AT, "Paint the hull.", "It is red now; see `hull_colour` in deck/paint.py.")
CJK = Exchange(12, AT, "船体涂成红色", "好")


@pytest.fixture(params=list(OPENERS))
async def store(request: pytest.FixtureRequest, opened: Open) -> AsyncIterator[ProjectStore]:
    kept = await opened(request.param, Secrets({"SHIP_KEY": "anchor-and-chain"}))
    await kept.create(record("s1"))
    await kept.recall.replace_exchanges("s1", 0, [PORT, PAINT, CJK])
    yield kept


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("gateways listening", PORT),
        ("what is the hull colour", PAINT),
        ("hullColour in paint", PAINT),
        ("红色", CJK),
    ],
)
async def test_words_names_and_scripts_without_spaces_are_found(
    store: ProjectStore, question: str, found: Exchange
) -> None:
    assert await store.recall.find(question, 1) == [Recalled("s1", "A title", found)]


@pytest.mark.parametrize("question", ["", "the of and", "zeppelin", '"(* OR NEAR'])
async def test_what_is_nowhere_is_not_found(store: ProjectStore, question: str) -> None:
    assert await store.recall.find(question, 5) == []


async def test_what_is_learnt_again_takes_the_place_of_the_rest(store: ProjectStore) -> None:
    later = Exchange(9, AT, "Paint the mast.", "")

    await store.recall.replace_exchanges("s1", 9, [later])

    assert await store.recall.find("hull", 5) == []
    assert await store.recall.last_exchange("s1") == later
    assert await store.recall.find("gateway", 5) == [Recalled("s1", "A title", PORT)]


async def test_a_mark_stays_and_is_never_found(store: ProjectStore) -> None:
    mark = Exchange(7, AT, "")

    await store.recall.replace_exchanges("s2", 0, [mark])
    await store.recall.replace_exchanges("s2", 0, [])

    assert await store.recall.last_exchange("s2") == mark
    assert await store.recall.last_exchange("s3") is None


async def test_a_deleted_session_is_not_recalled(store: ProjectStore) -> None:
    await store.create(record("s2"))
    await store.recall.replace_exchanges("s2", 0, [PORT])
    await store.recall.replace_exchanges("s1", 13, [Exchange(13, AT, "")])

    await store.delete("s1")

    # Its marks too: a session of that id that arrives again is read from its beginning.
    assert await store.recall.last_exchange("s1") is None

    assert await store.recall.find("gateway", 5) == [Recalled("s2", "A title", PORT)]
    assert await store.recall.find("hull", 5) == []


async def test_nothing_of_a_deleted_session_is_left_in_the_file(opened: Open, paths) -> None:
    store = await opened()
    await store.create(record("s1"))
    await store.recall.replace_exchanges(
        "s1", 0, [Exchange(1, AT, "Where is the zanzibarium?", "Aft.")]
    )
    await store.delete("s1")
    await store.close()

    left = b"".join(path.read_bytes() for path in paths.folder.rglob("*") if path.is_file())
    assert b"SQLite format 3" in left
    assert b"zanzibar" not in left


async def test_secrets_stay_outside(store: ProjectStore) -> None:
    await store.recall.replace_exchanges(
        "s1", 20, [Exchange(20, AT, "Raise anchor-and-chain.", "Raised.")]
    )

    found = await store.recall.find("raised", 1)

    assert found[0].exchange.asked == "Raise [redacted: SHIP_KEY]."
