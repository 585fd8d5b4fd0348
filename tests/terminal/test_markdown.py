"""Markdown in pieces: whole blocks come out, the same whatever the pieces."""

import io
import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.terminal.markdown import Blocks
from plimsoll.terminal.screen import Screen, tail

TEXT = """# Title
Some words
of a paragraph.

- one

  more of one
- two

```python
def f():

    return 1
```
~~~
```
~~~

1. a

2. b

After the list.

- code in a list:
  ```sh
  ls

  pwd
  ```
the rest"""
BLOCKS = [
    "# Title\nSome words\nof a paragraph.",
    "- one\n\n  more of one\n- two\n",
    "```python\ndef f():\n\n    return 1\n```",
    "~~~\n```\n~~~",
    "1. a\n\n2. b\n",
    "After the list.",
    "- code in a list:\n  ```sh\n  ls\n\n  pwd\n  ```\nthe rest",
]


def cut(pieces: list[str]) -> list[str]:
    blocks = Blocks()
    found = [block for piece in pieces for block in blocks.feed(piece)]
    return [block for block in (*found, blocks.end()) if block]


@given(st.lists(st.integers(0, len(TEXT)), max_size=8))
def test_blocks_are_the_same_whatever_the_pieces(cuts: list[int]):
    places = [0, *sorted(cuts), len(TEXT)]
    assert cut([TEXT[a:b] for a, b in itertools.pairwise(places)]) == BLOCKS


def test_a_block_comes_as_soon_as_it_is_whole():
    blocks = Blocks()
    assert blocks.feed("one\n") == []
    assert blocks.feed("\ntw") == ["one"]
    assert blocks.begun == "tw"
    assert blocks.feed("o\n```\nx\n```\n") == ["two", "```\nx\n```"]
    assert blocks.end() == ""


ESCAPES = re.compile(r"\x1b\[[0-9;]*[mK]|\r")


class Watched(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_a_model_writes_steers_no_terminal():
    out = Watched()
    screen = Screen(out, io.StringIO())
    screen.stream("a \x1b]8;;https://evil.example\x07link\x1b[2J\n\n[x](https://evil.example/y) ")
    screen.end_line()
    assert "\x1b[2J" not in out.getvalue()
    assert "\x1b]" not in out.getvalue()
    assert "https://evil.example/y" in out.getvalue()


def test_a_heading_begins_where_the_text_does():
    out = Watched()
    screen = Screen(out, io.StringIO())
    screen.markdown("# Title\n\nText\n")
    title, _, text = (ESCAPES.sub("", line) for line in out.getvalue().splitlines())
    assert (title.rstrip(), text.rstrip()) == ("Title", "Text")


def test_nobody_looks_and_the_text_stays_as_it_is():
    out = io.StringIO()
    screen = Screen(out, io.StringIO())
    screen.stream("**a**\n\n- b")
    screen.end_line()
    assert out.getvalue() == "**a**\n\n- b\n"


@pytest.mark.parametrize(
    ("text", "columns", "end"), [("abcdef", 3, "def"), ("漢字", 3, "字"), ("a", 0, "")]
)
def test_the_end_of_a_line_fits(text: str, columns: int, end: str):
    assert tail(text, columns) == end
