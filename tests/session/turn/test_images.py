"""Images that a person sends: which are taken, what of them is kept, and who is sent them."""

import base64
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.context.log.entries import Said
from plimsoll.context.log.images import LARGEST_IMAGE, image_text
from plimsoll.context.log.messages import Image as SentImage
from plimsoll.context.log.messages import Message, Part, PartKind, Role, part_item
from plimsoll.context.view.request_messages import render
from plimsoll.errors import InvalidInput
from plimsoll.providers.base import Request
from plimsoll.providers.http.json_body import encode_body
from plimsoll.providers.openai import request_body as chat_body
from plimsoll.providers.openai_responses import request_body as response_body
from plimsoll.session.asking.request import UNSEEN, cache_key, fit_to_model
from plimsoll.session.ports.content import FileRef, ImageData, PromptText, parts_of
from plimsoll.session.reduction.items import evict, restore
from plimsoll.tools.files.attaching import attached_text
from plimsoll.tools.ports.context import CallContext
from session.harness import harness

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(40))
KINDS = {
    "image/png": PNG,
    "image/jpeg": b"\xff\xd8\xff\xe0 and so on",
    "image/gif": b"GIF89a and so on",
    "image/webp": b"RIFF\x10\0\0\0WEBPVP8 ",
}


class Nothing:
    """An editor in which nothing is open."""

    def open_files(self) -> tuple[Path, ...]:
        return ()

    def open_text(self, path: Path) -> str | None:
        return None


@pytest.fixture
def context(tmp_path: Path) -> CallContext:
    return CallContext(root=tmp_path, documents=Nothing(), spill_folder=tmp_path / "spill")


def base64_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


@pytest.mark.parametrize("kind", KINDS)
def test_an_image_is_known_by_how_it_begins(kind: str, context: CallContext):
    text = base64_of(KINDS[kind])
    (context.root / "shot").write_bytes(KINDS[kind])
    sent = ImageData("image/whatever", text)
    one, other = parts_of([sent, FileRef(context.root / "shot")], context, attached_text, True)
    assert one == Part(kind=PartKind.IMAGE, text=text, name=kind)
    assert (other.kind, other.text, other.name) == (PartKind.IMAGE, text, kind)
    assert other.source is not None
    assert other.source.uri.endswith("/shot")


@pytest.mark.parametrize("data", ["no base64!", base64_of(b"%PDF-1.7"), "", base64_of(b"<svg/>")])
def test_what_is_no_image_is_refused(data: str, context: CallContext):
    with pytest.raises(InvalidInput, match="not PNG, JPEG, GIF or WebP"):
        parts_of([ImageData("image/png", data)], context, attached_text)


def test_an_image_that_is_too_large_is_refused_before_it_is_sent(context: CallContext):
    huge = PNG + bytes(LARGEST_IMAGE)
    (context.root / "huge.png").write_bytes(huge)
    for each in (ImageData("image/png", base64_of(huge)), FileRef(context.root / "huge.png")):
        with pytest.raises(InvalidInput, match=r"3,750,048 bytes, more than the 3,750,000"):
            parts_of([each], context, attached_text)
    (context.root / "large.png").write_bytes(huge[:LARGEST_IMAGE])
    assert parts_of([FileRef(context.root / "large.png")], context, attached_text)


def test_a_model_that_sees_none_is_said_before_the_request(context: CallContext):
    content = [PromptText("Look"), ImageData("image/png", base64_of(PNG))]
    with pytest.raises(InvalidInput, match="sees no images") as raised:
        parts_of(content, context, attached_text, sees_images=False)
    assert "describe" in (raised.value.remedy or "")
    for sees in (True, None):
        assert len(parts_of(content, context, attached_text, sees_images=sees)) == 2
    assert parts_of(content[:1], context, attached_text, sees_images=False)


PICTURE = SentImage("image/png", "AAAA")
ASKED = Request(
    model="m",
    messages=(
        Message(id="m1", role=Role.USER, text="", images=(PICTURE, PICTURE)),
        Message(id="m2", role=Role.ASSISTANT, text="I see."),
    ),
)


def test_images_stay_behind_when_the_model_has_changed_to_one_that_sees_none():
    sent = fit_to_model(ASKED, "s1", sees_images=False)
    assert [m.text for m in sent.messages] == [f"{UNSEEN}\n{UNSEEN}", "I see."]
    assert not any(m.images for m in sent.messages)
    for sees in (True, None):
        assert fit_to_model(ASKED, "s1", sees).messages == ASKED.messages


@pytest.mark.parametrize("body", [chat_body, response_body])
def test_the_cache_key_is_sent_where_it_is_offered_and_says_nothing(body):
    sent = fit_to_model(ASKED, "s-of-a-person", True)
    own = body(sent, address="https://api.openai.com/v1")
    assert own["prompt_cache_key"] == cache_key("s-of-a-person")
    assert b"person" not in encode_body(own)
    assert cache_key("s-of-another") not in encode_body(own).decode()
    for host in ("", "127.0.0.1", "openrouter.ai", "api.openai.com.example.org"):
        assert "prompt_cache_key" not in body(sent, address=f"https://{host}/v1")
    assert "prompt_cache_key" not in body(ASKED, address="https://api.openai.com/v1")


def sent(state):
    return render(state.log.fold.view)


@pytest.mark.parametrize("sees", [True, False, None])
async def test_an_image_that_the_agent_reads_stands_beside_the_result(tmp_path, sees):
    read = {"calls": [{"name": "file_read", "arguments": {"path": "a.png"}}]}
    async with harness(tmp_path, read, {"text": "A ship."}) as own:
        (own.folder / "a.png").write_bytes(PNG)
        state, models = own.session.state, own.project.environment.models
        models.large = replace(models.large, sees_images=sees)
        await own.session.set_model("scripted/large")
        await own.turn("What does a.png show?")
        await own.consistent()
        images = [image for message in sent(state) for image in message.images]
        assert [image.data for image in images] == ([image_text(PNG)] if sees else [])
        if not sees:
            assert any("is an image" in text for role, text in own.said() if role == "tool")
            return
        (item,) = [
            part_item(said.id, 0)
            for said in own.entries
            if isinstance(said, Said) and said.role is Role.TOOL
        ]
        await evict(state, [item])
        messages = sent(state)
        assert not any(message.images for message in messages)
        assert any("[image]" in message.text for message in messages)
        await restore(state, [item])
        assert any(message.images for message in sent(state))
