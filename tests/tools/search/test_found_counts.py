"""How much a search found is counted, the same by both engines."""

from plimsoll.context.log.counts import Counts
from plimsoll.tools.search.grep import Grep
from plimsoll.tools.search.searching import Searches


async def counted(context, **arguments) -> Counts | None:
    searches = Searches()
    tool = Grep(searches)
    outcome = await tool.run(tool.prepare(arguments, context), context)
    searches.close()
    return outcome.counts


async def test_the_matches_and_their_files(engine, root):
    for name, lines in (("a.txt", 2), ("b.txt", 1), ("c.md", 1)):
        (root / name).write_text("budget\n" * lines)
    found = await counted(engine, pattern="budget", glob="*.txt")
    assert found == Counts(matches=3, files=2)


async def test_of_more_than_are_shown_those_that_are(engine, root):
    (root / "a.txt").write_text("budget\n" * 2)
    (root / "b.txt").write_text("budget\n" * 2_000)
    (root / "c.txt").write_text("budget\n")
    found = await counted(engine, pattern="budget")
    assert found == Counts(matches=1_000, files=2, more=True)


async def test_where_nothing_is_the_files_that_were_looked_through(engine, root):
    for name in ("a.txt", "b.txt", "c.md"):
        (root / name).write_text("text\n")
    (root / "d.txt").write_bytes(b"\0\1budget")
    assert await counted(engine, pattern="budget", glob="*.txt") == Counts(searched=2)
