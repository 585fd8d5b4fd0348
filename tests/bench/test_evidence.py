"""What answers use of results for the first time."""

from hypothesis import given
from hypothesis import strategies as st

from plimsoll.bench.evidence import quotes, uses
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.session.transfer.incoming import Incoming, IncomingCall


def said(role: Role, text: str, *calls: IncomingCall) -> Incoming:
    return Incoming(role=role, parts=(Part(kind=PartKind.TEXT, text=text),), calls=calls)


ROWS = [f"the row {letter} of a file that is long enough" for letter in "abcde"]
SESSION = [
    said(Role.USER, "Why does the ledger drift?"),
    said(Role.ASSISTANT, "I look."),
    said(Role.TOOL, "    41\t    total = spare_tokens + ledger.count(head)\nFloat 1285 brink\n"),
    said(
        Role.ASSISTANT,
        "Float, at 1285; spare_token is no word of it:\ntotal = spare_tokens + ledger.count(head)",
        IncomingCall("c", "edit", {"edits": [{"old": "total\nbrink", "new": "Floats"}]}),
    ),
    said(Role.ASSISTANT, "The Float and the spare_tokens again."),
]


def test_names_are_distinctive_and_lines_are_whole():
    assert [each.text for each in uses(SESSION)] == ["ledger.count", "spare_token", "spare_tokens"]
    assert [each.text for each in quotes(SESSION)] == ["total = spare_tokens + ledger.count(head)"]


@given(
    st.lists(
        st.tuples(st.sampled_from(Role), st.lists(st.sampled_from(ROWS), max_size=3)), max_size=8
    )
)
def test_a_line_is_taken_once_from_results_that_came_before(spoken):
    session = [said(role, "\n".join(rows)) for role, rows in spoken]
    answers = [place for place, (role, _) in enumerate(spoken) if role is Role.ASSISTANT]
    taken = list(quotes(session))
    assert len({each.text for each in taken}) == len(taken)
    for each in taken:
        before = spoken[: answers[each.request]]
        assert {role for role, rows in before if each.text in rows} == {Role.TOOL}
