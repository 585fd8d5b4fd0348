"""What an item is called, for people and for a model."""

import pytest

from builders import LEDGER, assistant, result, user
from plimsoll.context.log.messages import Part, PartKind, Source
from plimsoll.context.report.titles import item_name, item_title
from plimsoll.context.view.fold import Fold

LONG = "long/" * 40 + "a.py"
FILE = Source("file:///w/src/a.py", (3, 5))


def titles(call: tuple[str, str], source: Source | None = None) -> list[tuple[str, str]]:
    """Title and name of a call and of its result."""
    name, arguments = call
    asked = assistant("a1", "", ("c1", name, arguments))
    answer = result("r1", "a1", "c1", "done", name, source=source)
    fold = Fold(LEDGER, [user("u1", "Go."), asked, answer])
    both = [(asked.parts[0], asked), (answer.parts[0], answer)]
    return [(item_title(*each, fold), item_name(*each, fold)) for each in both]


@pytest.mark.parametrize(
    ("call", "title", "name"),
    [
        (("grep", '{"pattern": "x  y"}'), "Search for x y", "grep x y"),
        (("shell", '{"command": "make\\nall"}'), "Run make all", "shell make all"),
        (("file_read", f'{{"path": "{LONG}"}}'), f"Read {LONG}"[:80], f"file_read {LONG}"[:80]),
        (("file_read", "{"), "file_read", "file_read"),
        (("of_nobody", '{"path": "a.py"}'), "of_nobody", "of_nobody a.py"),
    ],
)
def test_a_call_and_its_result_have_one_title(call, title, name):
    assert titles(call) == [(title, name)] * 2


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("src/a.py", "src/a.py:3-5"),
        ("a.py", "a.py:3-5"),
        ("rc/a.py", "a.py:3-5"),
        ("b", "a.py:3-5"),
    ],
)
def test_a_read_is_titled_by_the_path_as_it_was_given_if_it_is_that_file(path, title):
    read = titles(("file_read", f'{{"path": "{path}"}}'), FILE)
    assert read[1] == (title, "a.py:3-5")


@pytest.mark.parametrize(
    ("part", "title"),
    [
        (Part(kind=PartKind.TEXT, text="Mend \n it."), "Mend it."),
        (Part(kind=PartKind.TEXT, text=" \n"), "text"),
        (Part(kind=PartKind.IMAGE, text="iVBOR"), "image"),
        (Part(kind=PartKind.FILE, text="x", source=Source("file:///w/a.py")), "a.py"),
        (Part(kind=PartKind.RESULT, text="x"), "result"),
    ],
    ids=["words", "none", "image", "file", "a result of nothing"],
)
def test_other_parts_are_called_by_what_they_are(part, title):
    said, fold = user("u1", "x"), Fold(LEDGER)
    assert (item_title(part, said, fold), item_name(part, said, fold)) == (title, title)
