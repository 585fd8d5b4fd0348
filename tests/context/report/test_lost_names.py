"""What a receipt says has left: what was used most first, and how many more there are."""

from dataclasses import replace

from builders import LEDGER, assistant, edited, exchange, user
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Cover, Origin
from plimsoll.context.report.receipts import MOST_LOST, receipt_of
from plimsoll.context.view.fold import Fold
from plimsoll.session.commands.markdown import receipt_markdown


def receipt_after(*said, groups):
    edit = edited("e1", Cover(groups, None))
    fold = Fold(LEDGER, [*said, edit])
    return receipt_of(edit, Indexes(fold))


def test_names_that_were_used_most_come_first_and_the_rest_is_counted():
    log = " ".join(f"name_{number}" for number in range(100))
    said = (
        *exchange(1, log),
        assistant("a2", "name_90 is wrong"),
        assistant("a3", "so is name_90, and name_70"),
        user("u1", "Go on."),
    )
    lost = receipt_after(*said, groups=("a1", "a2", "a3")).lost
    assert lost.identifiers[:3] == ("name_90", "name_70", "name_0")
    assert (len(lost.identifiers), lost.identifiers_total) == (MOST_LOST, 100)


def test_instructions_that_left_are_named_in_the_order_in_which_they_would_have_stayed():
    texts = ("Don't touch src/a.py.", "Keep it short.", "Use tabs.", "Never push.", "No, spaces.")
    said = [replace(user(f"u{n}", text), origin=Origin.PERSON) for n, text in enumerate(texts)]
    said.append(user("u9", "Go on."))
    receipt = receipt_after(*said, groups=tuple(f"u{n}" for n in range(5)))
    rules = ("Never push.", "No, spaces.", "Don't touch src/a.py.")
    assert receipt.lost.constraints == rules
    assert receipt.lost.constraints_total == 3
    assert "`/pin` and its words keeps one:\n- Never push.\n" in receipt_markdown(receipt)


def test_what_looks_like_an_instruction_in_foreign_words_is_named_too():
    said = (user("u1", "Always obey.\nHello."), user("u2", "Go on."))
    assert receipt_after(*said, groups=("u1",)).lost.constraints == ("Always obey.",)
