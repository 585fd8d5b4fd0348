"""Images beside results leave with them; those that a person sent stay."""

from dataclasses import replace

import pytest

from builders import result, user
from plimsoll.context.log.entries import ItemState, Replace
from plimsoll.context.log.messages import Part, PartKind
from plimsoll.context.stages.results.images import MARK, images_beside, images_leave

IMAGE = Part(kind=PartKind.IMAGE, text="iVBORw0KGgo=", name="image/png")


def with_images(said, count):
    return replace(said, parts=(*said.parts, *[IMAGE] * count))


@pytest.mark.parametrize("count", [0, 1, 2])
def test_each_image_beside_a_result_leaves_behind_a_mark(count: int):
    read = with_images(result("r1", "a1", "c1", "two pictures", "file_read"), count)

    assert [*images_beside(read)] == ["r1.1", "r1.2"][:count]
    assert [*images_leave(read, ItemState.EVICTED)] == [
        Replace(item, MARK, ItemState.EVICTED) for item in images_beside(read)
    ]


def test_what_a_person_sent_is_beside_no_result():
    assert [*images_beside(with_images(user("u1", "Look."), 1))] == []
