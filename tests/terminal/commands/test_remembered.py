"""What the terminal shows of a memory: whose it is, and where it comes from."""

from dataclasses import replace

from memory.samples import AT, memory
from plimsoll.memory.types import Author, MemoryScope, MemorySource, Trust
from plimsoll.terminal.commands.remembered import HEADS, origin_of, row_of

OWN = memory("m1", "Deploys go from release.", source=MemorySource(session_id="s1"))
BOBS = replace(OWN, scope=MemoryScope.TEAM, trust=Trust.TEAM, author_name="bob", source=None)


def test_a_colleagues_memory_is_listed_with_its_author():
    assert len(row_of(OWN)) == len(HEADS)
    assert row_of(OWN)[3] == "private"
    assert row_of(BOBS)[3:5] == ("team, by bob", AT[:10])
    assert row_of(replace(BOBS, author_name="a b\x1b[2J"))[3] == "team, by a_b_2J"


def test_what_waits_says_who_wrote_it():
    assert origin_of(OWN) == f"{OWN.author.value}, session s1"
    assert origin_of(replace(OWN, author=Author.AGENT, source=None)) == "agent"
    assert origin_of(BOBS) == "bob (a colleague)"
