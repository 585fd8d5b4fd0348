"""Documents and images through `file_read` and as attachments."""

from dataclasses import replace

import pytest

from plimsoll.context.log.images import LARGEST_IMAGE, image_text
from plimsoll.context.log.messages import Image
from plimsoll.errors import ToolFailed
from plimsoll.session.ports.content import FileRef, parts_of
from plimsoll.tools.files.attaching import attached_text
from tools.documents.samples import PNG, notebook

NOTEBOOK = notebook({"cell_type": "code", "source": "1 + 1", "outputs": [{"text": "2"}]})


@pytest.fixture
def tool(tools):
    return tools["file_read"]


async def read(tool, context, path):
    return await tool.run(tool.prepare({"path": path}, context), context)


async def test_a_notebook_is_read_and_attached_as_text(tool, context, root):
    (root / "a.ipynb").write_bytes(NOTEBOOK)
    outcome = await read(tool, context, "a.ipynb")
    assert outcome.text.endswith("[cell 1: code]\n1 + 1\n[output]\n2")
    assert outcome.source.version is None
    (part,) = parts_of([FileRef(root / "a.ipynb")], context, attached_text)
    assert (part.attached, part.name) == ("a.ipynb", "application/x-ipynb+json")
    assert "[output]\n2" in part.text


async def test_an_image_goes_along_where_the_model_sees_it(tool, context, root):
    (root / "a.png").write_bytes(PNG)
    outcome = await read(tool, replace(context, sees_images=True), "a.png")
    assert outcome.images == (Image("image/png", image_text(PNG)),)
    assert "a.png is an image (image/png, 48 bytes)" in outcome.text
    assert outcome.source.uri == (root / "a.png").as_uri()


@pytest.mark.parametrize(
    ("sees", "word"), [(False, "sees no images"), (None, "not known whether this model sees")]
)
async def test_a_model_that_may_not_see_it_gets_a_word(tool, context, root, sees, word):
    (root / "a.png").write_bytes(PNG)
    with pytest.raises(ToolFailed, match=word):
        await read(tool, replace(context, sees_images=sees), "a.png")


async def test_an_image_that_no_model_takes_is_refused(tool, context, root):
    (root / "a.png").write_bytes(PNG + bytes(LARGEST_IMAGE))
    with pytest.raises(ToolFailed, match="larger than the"):
        await read(tool, replace(context, sees_images=True), "a.png")
