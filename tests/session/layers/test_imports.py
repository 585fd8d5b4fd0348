"""Rules files that point on to others."""

import pytest

from plimsoll.session.layers.imports import DEEPEST, Followed, follow_imports

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
CASES = {
    "a line": ("Before.\n@docs/rules.md\nAfter.", f"Before.\n{RULES}\nAfter.", ("docs/rules.md",)),
    "a bullet with a full stop": ("* @docs/rules.md.", RULES, ("docs/rules.md",)),
    "a link as text": ("CLAUDE.md", "<!-- CLAUDE.md -->\nUse tabs.", ("CLAUDE.md",)),
    "a chain": (
        "@docs/deep.md",
        f"<!-- docs/deep.md -->\nDeep.\n{RULES}",
        ("docs/deep.md", "docs/rules.md"),
    ),
    "a circle": ("@a.md", "<!-- a.md -->\n<!-- b.md -->\n@a.md\nB.", ("a.md", "b.md")),
    "in the words of a sentence": ("See @docs/rules.md for more.", None, ()),
    "in a fence": ("```\n@docs/rules.md\n```", None, ()),
    "missing": ("@docs/none.md", None, ()),
    "outside": ("@../x.md\n@/etc/x.md\n@~/x.md", None, ()),
    "no prose": ("@.env\n@key.pem", None, ()),
    "itself": ("@AGENTS.md", None, ()),
    "a person": ("@ann\nReviews are by @ann", None, ()),
}


@pytest.mark.parametrize(("text", "followed", "files"), CASES.values(), ids=CASES.keys())
def test_a_rules_file_points_on(text: str, followed: str | None, files: tuple[str, ...]):
    assert follow_imports("AGENTS.md", text, FILES.get) == Followed(followed or text, files)


def test_paths_are_those_of_the_folder_of_the_file():
    assert follow_imports("docs/AGENTS.md", "@rules.md", FILES.get).files == ("docs/rules.md",)
    assert follow_imports("docs/AGENTS.md", "@../CLAUDE.md", FILES.get).files == ("CLAUDE.md",)


def test_a_chain_is_followed_so_deep_and_no_deeper():
    chain = {f"{n}.md": f"{n}\n@{n + 1}.md" for n in range(1, 20)}
    found = follow_imports("AGENTS.md", "@1.md", chain.get)
    assert found.files == tuple(f"{n}.md" for n in range(1, DEEPEST + 1))
    assert found.text.endswith(f"@{DEEPEST + 1}.md")
