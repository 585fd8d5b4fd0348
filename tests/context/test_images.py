"""Images beside results: what the model has seen leaves with a prune, behind a mark."""

from dataclasses import replace

from builders import edited, user
from context.stages.logs import after, next_request, planned, states, texts
from context.stages.test_prune import filler
from plimsoll.context.log.entries import Restore, Stage
from plimsoll.context.log.messages import Part, PartKind
from plimsoll.context.stages import prune
from plimsoll.context.view.view import IMAGE_TOKENS


def request_of(asked):
    return [message for line in asked.fold.view.lines for message in line.messages]


def shown(number):
    """A short result with an image beside it."""
    asking, result = filler(number, 3, "file_read")
    image = Part(kind=PartKind.IMAGE, text="iVBORw0KGgo=", name="image/png")
    return [asking, replace(result, parts=(*result.parts, image))]


def log(images, fillers=60):
    said = [each for number in range(images) for each in shown(number)]
    return [*said, *(each for n in range(100, 100 + fillers) for each in filler(n, 1_000))]


def test_an_image_goes_along_and_counts():
    before = next_request([user("u", "Look."), *shown(0)], 65_536)
    (message,) = [one for one in request_of(before) if one.images]
    assert (message.call_id, message.images[0].mime_type) == ("c0", "image/png")
    without = next_request([user("u", "Look."), *filler(0, 3, "file_read")], 65_536)
    assert before.tokens - without.tokens == IMAGE_TOKENS


def test_what_was_seen_leaves_with_a_prune_and_comes_back_with_its_undo():
    before = next_request([user("u", "Look."), *log(2)], 65_536, cold=True)
    proposal = planned(before, prune.plan)
    done = after(before, proposal)
    assert [states(done)[item] for item in ("r0.1", "r1.1")] == ["pruned", "pruned"]
    assert texts(done)["r0.1"] == "[image]"
    assert not any(message.images for message in request_of(done))


def test_what_was_not_seen_yet_stays():
    before = next_request([user("u", "Look."), *log(0), *shown(7)], 65_536, cold=True)
    done = after(before, planned(before, prune.plan))
    assert states(done)["r7.1"] == "verbatim"


def test_what_a_person_brought_back_stays():
    back = edited("e1", Restore(items=("r0.1",)), stage=Stage.RESTORE)
    before = next_request([user("u", "Look."), *log(2, 42), back], 65_536, cold=True)
    assert before.load < before.budget.blocking
    done = after(before, planned(before, prune.plan))
    assert [states(done)[item] for item in ("r0.1", "r1.1")] == ["verbatim", "pruned"]
