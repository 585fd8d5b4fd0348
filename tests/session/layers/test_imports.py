"""Rules files that point on to others."""

import pytest

from builders import words
from plimsoll.context.log.entries import RulesImport
from plimsoll.errors import ToolFailed
from plimsoll.session.layers.imports import (
    DEEPEST,
    MOST_FILES,
    MOST_NAMED,
    Followed,
    Read,
    follow_imports,
)

FILES = {
    "docs/rules.md": "Rule 7 holds.\n",
    "docs/deep.md": "Deep.\n- @rules.md\n",
    "CLAUDE.md": "Use tabs.\n",
    "a.md": "@b.md",
    "b.md": "@a.md\nB.",
    ".env": "KEY=1",
    "key.pem": "secret",
}
RULES = "<!-- docs/rules.md -->\nRule 7 holds."
RULES_FILE = RulesImport("docs/rules.md", "followed", 3)
CASES = {
    "a line": ("Before.\n@docs/rules.md\nAfter.", f"Before.\n{RULES}\nAfter.", (RULES_FILE,)),
    "a bullet with a full stop": ("* @docs/rules.md.", RULES, (RULES_FILE,)),
    "a link as text": (
        "CLAUDE.md",
        "<!-- CLAUDE.md -->\nUse tabs.",
        (RulesImport("CLAUDE.md", "followed", 2),),
    ),
    "a link to nothing": ("gone/CLAUDE.md\n", None, (RulesImport("gone/CLAUDE.md", "missing"),)),
    "a sentence that ends with a name": ("Read CLAUDE.md", None, ()),
    "a chain": (
        "@docs/deep.md",
        f"<!-- docs/deep.md -->\nDeep.\n{RULES}",
        (RulesImport("docs/deep.md", "followed", 3), RULES_FILE),
    ),
    "a circle": (
        "@a.md",
        "<!-- a.md -->\n<!-- b.md -->\n@a.md\nB.",
        (
            RulesImport("a.md", "followed", 1),
            RulesImport("b.md", "followed", 2),
            RulesImport("a.md", "met"),
        ),
    ),
    "lines that end with CR": ("A.\r@docs/rules.md\rB.", f"A.\r{RULES}\rB.", (RULES_FILE,)),
    "lines that end with CRLF": ("@docs/rules.md\r\nB.\r\n", f"{RULES}\r\nB.\r\n", (RULES_FILE,)),
    "in the words of a sentence": ("See @docs/rules.md for more.", None, ()),
    "in a fence": ("```\n@docs/rules.md\n```", None, ()),
    "missing, twice": (
        "@docs/none.md\n@docs/none.md",
        None,
        (RulesImport("docs/none.md", "missing"),),
    ),
    "outside": (
        "@../x.md\n@/etc/x.md\n@~/x.md",
        None,
        tuple(RulesImport(path, "outside") for path in ("../x.md", "/etc/x.md", "~/x.md")),
    ),
    "no prose": ("@.env\n@key.pem", None, ()),
    "itself": ("@AGENTS.md", None, (RulesImport("AGENTS.md", "met"),)),
    "a person": ("@ann\nReviews are by @ann", None, ()),
}


def follow(name: str, text: str, read: Read) -> Followed:
    return follow_imports(name, text, read, words)


@pytest.mark.parametrize(("text", "followed", "files"), CASES.values(), ids=CASES.keys())
def test_a_rules_file_points_on(text: str, followed: str | None, files: tuple[RulesImport, ...]):
    assert follow("AGENTS.md", text, FILES.get) == Followed(followed or text, files)


def test_paths_are_those_of_the_folder_of_the_file():
    assert follow("docs/AGENTS.md", "@rules.md", FILES.get).files == (RULES_FILE,)
    (found,) = follow("docs/AGENTS.md", "@../CLAUDE.md", FILES.get).files
    assert found.path == "CLAUDE.md"


def test_a_chain_is_followed_so_deep_and_no_deeper():
    chain = {f"{n}.md": f"{n}\n@{n + 1}.md" for n in range(1, 20)}
    found = follow("AGENTS.md", "@1.md", chain.get)
    assert found.files == (
        *(RulesImport(f"{n}.md", "followed", 2) for n in range(1, DEEPEST + 1)),
        RulesImport(f"{DEEPEST + 1}.md", "tooDeep"),
    )
    assert found.text.endswith(f"@{DEEPEST + 1}.md")


def test_a_file_that_may_not_be_read_is_told_and_its_line_stays():
    def refuse(_name: str) -> str | None:
        raise ToolFailed("no")

    assert follow("AGENTS.md", "A.\n@a.md", refuse) == Followed(
        "A.\n@a.md", (RulesImport("a.md", "refused"),)
    )


def test_any_number_of_names_costs_no_more_than_some():
    asked: list[str] = []

    def read(name: str) -> str | None:
        asked.append(name)
        return "x" if name.startswith("is") else None

    there = follow("AGENTS.md", "\n".join(f"@is{n}.md" for n in range(1_000)), read).files
    assert [each.outcome for each in there].count("followed") == MOST_FILES == len(asked)
    assert len(there) == MOST_NAMED
    asked.clear()
    assert (
        len(follow("A.md", "\n".join(f"@{n}.md" for n in range(1_000)), read).files) == MOST_NAMED
    )
    assert len(asked) == MOST_NAMED
    asked.clear()
    assert len(follow("A.md", "@none.md\n" * 1_000, read).files) == 1 == len(asked)
