"""Notebooks as text: whatever the file holds, it ends as text or as a word that says why not."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.errors import ToolFailed
from plimsoll.tools.documents.notebook import LONGEST_OUTPUT, notebook_text
from tools.documents.samples import notebook

CODE = {
    "cell_type": "code",
    "source": ["import math\n", "math.pi"],
    "outputs": [
        {"output_type": "stream", "name": "stdout", "text": ["\x1b[31mred\x1b[0m\n", "two\n"]},
        {"output_type": "execute_result", "data": {"text/plain": "3.14", "text/html": "<b>"}},
        {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo="}},
        {"output_type": "error", "traceback": ["Traceback", "ValueError: no"]},
    ],
}


def test_cells_and_what_they_say_stand_in_their_order():
    text = notebook_text("a.ipynb", notebook({"cell_type": "markdown", "source": "# Title"}, CODE))
    assert text == (
        "[notebook with 2 cells, as text; file_edit changes the text of a cell]\n\n"
        "[cell 1: markdown]\n# Title\n\n"
        "[cell 2: code]\nimport math\nmath.pi\n"
        "[output]\nred\ntwo\n[output]\n3.14\n[image]\n[error]\nTraceback\nValueError: no"
    )


def test_an_output_without_end_is_cut_and_says_so():
    long = {"cell_type": "code", "source": "", "outputs": [{"text": "x" * (LONGEST_OUTPUT + 7)}]}
    text = notebook_text("a.ipynb", notebook(long))
    assert text.endswith("x\n[cut: 7 characters more]")
    assert len(text) < LONGEST_OUTPUT + 200


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xfe", b"not json", b"[1]", b"{}", b'{"cells": 3}', b"[" * 100_000],
    ids=["empty", "bytes", "text", "list", "none", "number", "deep"],
)
def test_what_is_no_notebook_says_so(data):
    with pytest.raises(ToolFailed, match="notebook"):
        notebook_text("a.ipynb", data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["cell_type", "source", "outputs", "text", "data", "image/png", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(st.lists(JSON, max_size=5))
def test_any_cells_can_be_read(cells):
    text = notebook_text("a.ipynb", json.dumps({"cells": cells}).encode())
    assert text.startswith(f"[notebook with {len(cells)} cell")
