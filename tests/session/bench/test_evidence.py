"""What answers use of results, in three measures."""

from hypothesis import given
from hypothesis import strategies as st

from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.session.bench.evidence import UsedText, quotes, taken_words, uses, words_in
from plimsoll.session.transfer.incoming import Incoming, IncomingCall


def said(role: Role, text: str, *calls: IncomingCall) -> Incoming:
    return Incoming(role=role, parts=(Part(kind=PartKind.TEXT, text=text),), calls=calls)


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


def test_words_are_whole_and_count_where_an_answer_takes_them_over():
    found = list(taken_words(SESSION))
    # "drift" and "ledger" are the person's, "spare_token" and "Floats" stood nowhere.
    expected = ["1285", "Float", "brink", "count", "head", "spare_tokens", "total"]
    assert found == [UsedText(1, word) for word in expected]


def test_names_are_distinctive_and_lines_are_whole():
    assert [each.text for each in uses(SESSION)] == ["ledger.count", "spare_token", "spare_tokens"]
    assert [each.text for each in quotes(SESSION)] == ["total = spare_tokens + ledger.count(head)"]


@given(st.lists(st.tuples(st.sampled_from(Role), st.text("abcd \n", max_size=40)), max_size=8))
def test_a_word_is_taken_once_from_results_that_came_before(spoken):
    session = [said(role, text) for role, text in spoken]
    answers = [place for place, (role, _) in enumerate(spoken) if role is Role.ASSISTANT]
    taken = list(taken_words(session))
    assert len({each.text for each in taken}) == len(taken)
    for each in taken:
        before = spoken[: answers[each.request]]
        holders = {role for role, text in before if each.text in words_in(text)}
        assert holders == {Role.TOOL}
