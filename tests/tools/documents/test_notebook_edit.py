"""An edit of a notebook changes the source of one cell, and no other byte."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plimsoll.errors import ToolFailed
from plimsoll.tools.documents.notebook_edit import changed_file
from plimsoll.tools.files.editing import Content, Replacement


def book(*sources, version=4):
    cells = [
        {
            "cell_type": "code",
            "id": f"c{number}",
            "metadata": {},
            "execution_count": 3,
            "outputs": [{"output_type": "stream", "name": "stdout", "text": ["rate = 3\n"]}],
            "source": source,
        }
        for number, source in enumerate(sources)
    ]
    if version == 4:
        return {"cells": cells, "metadata": {"z": 1, "a": 2}, "nbformat": 4, "nbformat_minor": 5}
    old = [{**cell, "input": cell["source"]} for cell in cells]
    for cell in old:
        del cell["source"]
    return {"metadata": {}, "nbformat": 3, "worksheets": [{"cells": old}]}


def written(notebook) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


PLAIN = (["rate = 3\n", 'print("rate", rate)\n'], ["plain = 1\n"], ["é = 0"])
EDITED = {
    "quotes": ("rate = 3", 'rate = float("3")', (['rate = float("3")\n', PLAIN[0][1]], *PLAIN[1:])),
    "a line more": (
        "rate = 3",
        "rate = 3\nscale = 2",
        (["rate = 3\n", "scale = 2\n", PLAIN[0][1]], *PLAIN[1:]),
    ),
    "backslashes": ("plain = 1", "p = 'C:\\new'", (PLAIN[0], ["p = 'C:\\new'\n"], PLAIN[2])),
    "two lines": ("rate = 3\nprint(", "print(", ([PLAIN[0][1]], *PLAIN[1:])),
    "a last line without end": ("é = 0", "é = 0\nü = 1", (*PLAIN[:2], ["é = 0\n", "ü = 1"])),
    "nothing left": ("plain = 1\n", "", (PLAIN[0], [], PLAIN[2])),
    "by its heading": (
        "[cell 2: code]\nplain = 1",
        "[cell 2: code]\nplain = 2",
        (PLAIN[0], ["plain = 2\n"], PLAIN[2]),
    ),
}


@pytest.mark.parametrize(("old", "new", "sources"), EDITED.values(), ids=EDITED.keys())
@pytest.mark.parametrize("version", [4, 3])
def test_an_edit_goes_to_the_cell(old, new, sources, version):
    before, after = (written(book(*each, version=version)) for each in (PLAIN, sources))
    assert changed_file(before, Replacement(old, new), "n.ipynb") == after


def test_a_source_of_one_text_stays_one():
    before = json.dumps(book("a = 1\nb = 2"))
    after = changed_file(before, Replacement("a = 1", "a = 'é'"), "n.ipynb")
    assert after == json.dumps(book("a = 'é'\nb = 2"), ensure_ascii=False)


def test_every_cell_where_that_is_meant():
    before = written(book(["x\n"], ["y x"]))
    after = changed_file(before, Replacement("x", "z", everywhere=True), "n.ipynb")
    assert after == written(book(["z\n"], ["y z"]))


REFUSED = {
    "an output": (Replacement("[output]", "x"), "does not occur in a cell of n.ipynb"),
    "raw json": (Replacement('"plain = 1\\n"', "x"), "does not occur in a cell of n.ipynb"),
    "another cell": (Replacement("[cell 1: code]\nplain", "x"), "does not occur in cell 1"),
    "twice": (Replacement("=", "=="), "more than once in n.ipynb, in cell 1, 2, 3"),
    "no notebook": (Content("x = 1\n"), "The content is no notebook"),
    "json without cells": (Content("{}"), "its JSON holds no cells"),
}


@pytest.mark.parametrize(("change", "told"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(change, told):
    with pytest.raises(ToolFailed) as failure:
        changed_file(written(book(*PLAIN)), change, "n.ipynb")
    assert told in failure.value.message


def test_what_is_no_json_is_left():
    with pytest.raises(ToolFailed, match="is no notebook that could be edited"):
        changed_file("{", Replacement("a", "b"), "n.ipynb")


LINES = st.text(st.sampled_from('ab"\\/é\u2028\t😀{}[],:'), max_size=6)
SOURCES = st.lists(LINES, min_size=1, max_size=4).map("\n".join)
FORMS = st.sampled_from(
    [{"indent": 1}, {"indent": 4}, {"indent": "\t"}, {}, {"separators": (",", ":")}]
)


def around_last_source(text: str) -> tuple[str, str]:
    """What stands before and after the source of the last cell."""
    start = text.rindex('"source":') + len('"source":')
    start += len(text[start:]) - len(text[start:].lstrip())
    _, end = json.JSONDecoder().raw_decode(text, start)
    return text[:start], text[end:]


@given(
    st.lists(SOURCES, max_size=3), SOURCES, SOURCES, SOURCES, FORMS, st.booleans(), st.booleans()
)
@settings(deadline=None)
def test_all_outside_of_the_source_stays(others, before, after, new, form, as_lines, escaped):
    def source(text):
        return text.splitlines(keepends=True) if as_lines and "\u2028" not in text else text

    def file(text):
        notebook = book(*map(source, others), source(text))
        return json.dumps(notebook, ensure_ascii=escaped, **form)

    old = file(f"{before}\n@old@\n{after}")
    result = changed_file(old, Replacement("@old@", f"@{new}@"), "n.ipynb")
    wanted = f"{before}\n@{new}@\n{after}"
    read = json.loads(result)
    cell = read["cells"][-1].pop("source")
    assert (cell if isinstance(cell, str) else "".join(cell)) == wanted
    was = json.loads(old)
    mark = was["cells"][-1].pop("source")
    assert read == was
    assert isinstance(cell, type(mark))
    assert around_last_source(result) == around_last_source(old)
