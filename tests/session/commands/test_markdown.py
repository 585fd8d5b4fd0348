"""What the product says to people, as Markdown."""

import pytest

from plimsoll.context.log.entries import Stage
from plimsoll.context.report.receipts import Lost, Receipt
from plimsoll.session.commands.markdown import receipt_markdown


def receipt(why: str) -> Receipt:
    return Receipt(
        id="e1",
        stage=Stage.DIGEST,
        status="completed",
        at="2026-01-01T00:00:00.000Z",
        why=why,
        before=9_000,
        after=1_000,
        items=(),
        lost=Lost(),
        undone=False,
        rewritten=0,
    )


@pytest.mark.parametrize(
    "why",
    [
        "you asked for it: keep the tests",
        "you asked for it: keep the tests.",
        "you asked for it:\nkeep the tests.\n",
    ],
)
def test_the_reason_of_a_receipt_is_one_sentence_on_one_line(why):
    lines = receipt_markdown(receipt(why)).split("\n")
    assert lines[2] == "you asked for it: keep the tests. Receipt `e1`."
