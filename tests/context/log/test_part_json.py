"""Parts of messages in the log."""

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.log.serialization import decode, encode


def test_a_paste_at_the_very_beginning_of_a_text_comes_back() -> None:
    part = Part(kind=PartKind.TEXT, text="what", pasted=((0, 3),))
    said = Said(id="a", at="t", role=Role.USER, group="a", parts=(part,))
    assert decode(encode(said)) == said
