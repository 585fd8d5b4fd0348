"""Images that the agent reads: they go along as images where the model is known to see them."""

from plimsoll.context.log.images import LARGEST_IMAGE, image_text
from plimsoll.context.log.messages import Image, Source
from plimsoll.errors import ToolFailed
from plimsoll.tools.files.content import size_text
from plimsoll.tools.files.paths import Target
from plimsoll.tools.ports.intent import Outcome


def image_outcome(target: Target, data: bytes, kind: str, sees_images: bool | None) -> Outcome:
    """Return an image as the result of a call, for a model that is known to see images.

    Any other model gets no image: a server that refuses images would refuse every later
    request of the session too.

    Raises:
        ToolFailed: The model sees none, it is not known to, or the image is too large.
    """
    what = f"{target.name} is an image ({kind}, {size_text(len(data))})"
    if sees_images is False:
        raise ToolFailed(f"{what}, and this model sees no images. Ask the user what it shows.")
    if sees_images is None:
        raise ToolFailed(
            f"{what}, and it is not known whether this model sees images. "
            "The user can attach it to a message."
        )
    if len(data) > LARGEST_IMAGE:
        raise ToolFailed(
            f"{what}, larger than the {size_text(LARGEST_IMAGE)} that models take. Make it smaller."
        )
    return Outcome(
        text=f"[{what}; it stands beside this]",
        source=Source(target.path.as_uri()),
        images=(Image(kind, image_text(data)),),
    )
