"""What answers repeat word for word, and what edits replace."""

from hypothesis import given
from hypothesis import strategies as st

from plimsoll.bench.spans import OldText, VerbatimSpan, old_texts, spans_of
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.session.transfer.incoming import Incoming, IncomingCall


def said(role: Role, text: str, *calls: IncomingCall) -> Incoming:
    return Incoming(role=role, parts=(Part(kind=PartKind.TEXT, text=text),), calls=calls)


LINE = "total = spare + ledger.count(head)"
RUN = "the quick brown fox jumps over the lazy dog"
SESSION = [
    said(Role.USER, "Why does the ledger drift?"),
    said(Role.ASSISTANT, f"It may be {LINE}"),
    said(Role.TOOL, f"    41\t    {LINE}\n    42\t    return total\nx = '{RUN}'"),
    said(Role.TOOL, f"nothing here\n{RUN} again, says the second file"),
    said(
        Role.ASSISTANT,
        f"Of {RUN} only the quick brown fox stays.\n{'-' * 60}\n",
        IncomingCall("c", "edit", {"edits": [{"old": f"    {LINE}\n    return total"}]}),
        IncomingCall("d", "edit", {"old_string": "never shown", "new_string": LINE}),
    ),
]


def test_whole_lines_and_long_runs_count_with_the_newest_result_that_held_them():
    assert list(spans_of(SESSION)) == [VerbatimSpan(1, RUN, 3), VerbatimSpan(1, LINE, 2)]


def test_an_old_text_counts_where_a_message_showed_it_with_or_without_numbers():
    assert list(old_texts(SESSION)) == [OldText(1, f"    {LINE}\n    return total", 2)]


@given(
    before=st.text("ab \n", max_size=60),
    run=st.text("abcdefgh", min_size=40, max_size=90),
    after=st.text("xy \n", max_size=60),
    ahead=st.text("pq \n", max_size=60),
)
def test_a_run_is_found_wherever_it_stands(before, run, after, ahead):
    session = [
        said(Role.TOOL, f"{before}{run}{after}"),
        said(Role.ASSISTANT, f"{ahead}{run}"),
    ]
    found = list(spans_of(session))
    assert len(found) == 1
    assert found[0].source == 0
    assert run in found[0].text
    assert found[0].text in f"{before}{run}{after}"
