"""How the tests ask for what was said: as a search does, and by reading all of it."""

from plimsoll.context.log.entries import Said, spoken_text
from plimsoll.storage.base import SaidQuery
from plimsoll.storage.project import ProjectStore
from plimsoll.text.terms import has_all


def asked(query: str, limit: int = 100) -> SaidQuery:
    words = query.casefold().split()
    return SaidQuery(
        words=words,
        titled=lambda title: has_all(title, words),
        said=lambda message: has_all(spoken_text(message), words),
        limit=limit,
    )


async def found(store: ProjectStore, query: str, limit: int = 100) -> list[tuple[str, str | None]]:
    """Sessions, each with the message in which it was found."""
    hits = await store.said.find(asked(query, limit))
    return [(record.id, message and message.id) for record, message in hits]


async def read_through(store: ProjectStore, query: str) -> list[tuple[str, str | None]]:
    """What a search finds that knows no index."""
    wanted, titled, spoken = asked(query), [], []
    for record in await store.sessions():
        entries = reversed(await store.entries(record.id))
        fitting = (each for each in entries if isinstance(each, Said) and wanted.said(each))
        if wanted.titled(record.title):
            titled.append((record.id, None))
        elif message := next(fitting, None):
            spoken.append((record.id, message.id))
    return [*titled, *spoken]
