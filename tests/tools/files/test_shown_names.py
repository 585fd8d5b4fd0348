"""What a tool shows as a name opens the same file when it is given to any tool.

``SHOWN_NAMES=5000 TEST_SEED=7 pytest tests/tools/files/test_shown_names.py`` tries as many names.
"""

import os
import random
import re
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from plimsoll.session.ports.content import FileRef, PromptText
from plimsoll.terminal.mentions import content_of, mention_of
from plimsoll.tools.files.paths import resolve, shown_name
from plimsoll.tools.search.globs import glob_matcher
from plimsoll.tools.search.patterns import LONGEST_PATTERN

NAMES = int(os.environ.get("SHOWN_NAMES", "300"))
SEED = int(os.environ.get("TEST_SEED", random.SystemRandom().randrange(10**9)))
EACH = 5
"""Names that stand beside each other in one folder."""
LONGEST = 255
"""Bytes of a name on Linux."""
BLANKS = [
    " ",
    "  ",
    " " * 20,
    "\t",
    " \t" * 10,
    "\n",
    "\n" * 10,
    "\r",
    "\u00a0",
    "\u202f",
    "\u3000",
]
UNSEEN = ["\u200d", "\ufe0f", "\u00ad", "\u200b", "\u202e", "\u2028", "\x85", "\x0c", "\x1b[2J"]
TWINS = ["é", "e\u0301", "한", "\u1112\u1161\u11ab", "\u0430", "\u2044", "\udcff", "\udcc3\udca9"]
SIGNS = [*"-[]{}*?\\'\"`:#@!|;&<.", "[a-z]", "{a,b}", "\\\\", "$(x)", "--", "%20", "c:"]
TAKEN = [
    "~",
    "$HOME",
    "${HOME}",
    "file:",
    "⏎",
    "⇥",
    "⟨",
    "⟩",
    "⟨U+00A0⟩",
    "⟨U+002F⟩",
    " ⟨16 spaces⟩ ",
]
OTHERS = ["a", "b", "…", "💥", "\U000e0041", "\ue000", "x" * 80, "\u00a0" * 80, "\u202e" * 40]
PIECES = st.one_of(
    st.sampled_from([*BLANKS, *UNSEEN, *TWINS, *SIGNS, *TAKEN, *OTHERS]),
    st.characters(codec="utf-8", exclude_characters="/\0"),
)


CHOOSING = re.compile(r"[\\\[\]{}]")
"""What a pattern reads otherwise than a name."""


def relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def is_name(name: str) -> bool:
    return name not in {"", ".", ".."} and len(os.fsencode(name)) <= LONGEST


NAME = st.lists(PIECES, min_size=1, max_size=8).map("".join).filter(is_name)


@seed(SEED)
@settings(
    max_examples=NAMES // EACH,
    deadline=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.sets(NAME, min_size=EACH, max_size=EACH), st.one_of(st.none(), NAME))
def test_what_is_shown_leads_back(context, names: set[str], folder: str | None) -> None:
    sys.stdout.write(f"TEST_SEED={SEED}\n")
    with tempfile.TemporaryDirectory(dir=context.root) as made:
        root = Path(made)
        here = root if folder is None else root / folder
        here.mkdir(exist_ok=True)
        for name in names:
            (here / name).touch()
        inside = replace(context, root=root)
        shown = {name: shown_name(here / name, root) for name in names}

        assert len(set(shown.values())) == len(names)
        for name, told in shown.items():
            assert "\n" not in told
            if len(told) <= LONGEST_PATTERN and not CHOOSING.search(told):
                assert glob_matcher(told)(relative(here / name, root))
            mention = mention_of(relative(here / name, root))
            prompt = PromptText(f"See @{mention}, please")
            assert content_of(prompt, root) == (prompt, FileRef(here / name))
            target = resolve(told, inside)
            assert target.path == here / name
            assert resolve(target.shown, inside).path == here / name


TOLD = [
    "a\u00a0b [x]{y}*.txt",
    "~",
    "$HOME",
    "file:x",
    "\\\\server",
    "-rf",
    " ",
    " a ",
    "a⏎b\n",
    "e\u0301\t\t",
    "\udcff.txt",
    "\u00a0" * 100,
    "a" + " \t" * 12,
    "\n" * 12,
    "⟨U+0041⟩",
    "x" * 255,
]


@pytest.mark.parametrize("name", TOLD)
async def test_every_tool_opens_what_another_shows(name: str, use, root: Path) -> None:
    (root / "in").mkdir()
    (root / "in" / name).write_text("needle one\n")
    for place in (root / "in" / name, root / name):
        place.write_text("needle one\n")
        listed = (await use("glob", pattern="**")).text.split("\n")
        for row in filter(lambda row: not CHOOSING.search(row), listed):
            assert row in (await use("glob", pattern=row)).text.split("\n")
        found = (await use("grep", pattern="needle")).text.split("\n")
        assert [row.removesuffix(":1:needle one") for row in found] == listed
        told = next(row for row in listed if row.startswith("in/") == (place.parent.name == "in"))

        assert (await use("file_read", path=told)).text == "1\tneedle one"
        assert (await use("grep", pattern="needle", path=told)).text == f"{told}:1:needle one"
        await use("file_edit", path=told, old_string="one", new_string="two")
        assert place.read_text() == "needle two\n"
        await use("file_write", path=told, content="needle one\n")
        assert place.read_text() == "needle one\n"


@pytest.mark.parametrize(
    "asked", ["⟨U+D800⟩", "a/⟨U+0000⟩", "⟨U+110000⟩", "⟨U+002F⟩etc⟨U+002F⟩passwd"]
)
def test_what_no_file_can_be_called_is_no_way_out(asked: str, context, root: Path) -> None:
    assert resolve(asked, context).inside
