import pytest

from plimsoll.context.log.counts import Counts
from plimsoll.errors import ToolFailed
from plimsoll.tools.search.globs import glob_matcher
from plimsoll.tools.search.patterns import choices

MATCHES = [
    ("*.py", "a.py", True),
    ("*.py", "src/a.py", False),
    ("**/*.py", "a.py", True),
    ("**/*.py", "src/deep/a.py", True),
    ("src/**", "src/a.py", True),
    ("src/**", "src", False),
    ("src/**/a.py", "src/a.py", True),
    ("src/**/a.py", "src/x/y/a.py", True),
    ("src/**/a.py", "srcs/a.py", False),
    ("**", "a/b", True),
    ("?.py", "a.py", True),
    ("?.py", "ab.py", False),
    ("?", "/", False),
    ("[ab].py", "b.py", True),
    ("[!ab].py", "b.py", False),
    ("[a-c]x", "bx", True),
    ("*.{ts,tsx}", "a.tsx", True),
    ("*.{ts,tsx}", "a.js", False),
    ("{src,tests}/**/*.py", "tests/x/a.py", True),
    ("{a,{b,c}}d", "cd", True),
    ("{**/,}a", "x/a", True),
    ("{a/**,b}", "a/x/y", True),
    ("a{,.py}", "a", True),
    ("[{,}]x", ",x", True),
    ("{[,],b}x", ",x", True),
    ("\\{a,b}", "{a,b}", True),
    ("{a\\,b,c}", "a,b", True),
    ("a,b", "a,b", True),
    ("a}", "a}", True),
    ("\\*.py", "*.py", True),
    ("\\*.py", "a.py", False),
    ("a.py", "axpy", False),
    ("(a|b)+", "(a|b)+", True),
    ("./a.py", "a.py", True),
    ("größe*", "größe.txt", True),
    ("a**b", "axxb", True),
    ("a**b", "a/b", False),
    ("*", "a\nb", True),
]


@pytest.mark.parametrize(("pattern", "path", "expected"), MATCHES)
def test_what_matches(pattern, path, expected):
    assert glob_matcher(pattern)(path) is expected


def test_anywhere():
    assert glob_matcher("*.py", anywhere=True)("src/a.py")
    assert not glob_matcher("x/*.py", anywhere=True)("src/x/a.py")


@pytest.mark.parametrize("pattern", ["[ab", "{a,b", "a\\", "[z-a]", "x" * 1001])
async def test_what_cannot_be_read(pattern, use, root):
    (root / "a").touch()
    with pytest.raises(ToolFailed, match=r"cannot be read|at most 1000"):
        await use("glob", pattern=pattern)
    with pytest.raises(ToolFailed, match=r"cannot be read|at most 1000"):
        await use("grep", pattern="x", glob=pattern)


@pytest.mark.parametrize("pattern", ["../*", "a/../../b", "/etc/*", "~/x"])
def test_what_leaves_the_folder(pattern, prepare):
    with pytest.raises(ToolFailed, match="leaves its folder"):
        prepare("glob", pattern=pattern)


def test_what_braces_stand_for_is_bounded():
    assert choices("a{b,{c,d}}{,e}") == ["ab", "abe", "ac", "ace", "ad", "ade"]
    assert len(choices("{a,b}" * 7)) == 128
    with pytest.raises(ValueError, match="more than 200 patterns"):
        choices("{a,b}" * 30)


async def test_a_wild_pattern_ends(use, root):
    (root / f"b{'a' * 100}").touch()
    assert "baa" not in (await use("glob", pattern="{*a*a,*}" * 7 + "b*c")).text
    with pytest.raises(ToolFailed, match="its braces stand for more than 200 patterns"):
        await use("glob", pattern="{*a,a*}" * 30 + "b*a")


async def test_sorted_and_without_the_ignored(use, root):
    for name in ("b.py", "a/z.py", "a.py", "a/b/c.py", "skip/x.py", ".git/x.py", ".dot/y.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    (root / ".gitignore").write_text("skip/\n")
    outcome = await use("glob", pattern="**/*.py")
    assert outcome.text == ".dot/y.py\na.py\na/b/c.py\na/z.py\nb.py"
    assert (await use("glob", pattern="*.py", path="a")).text == "a/z.py"
    assert (await use("glob", pattern="**/*.py", path="skip")).text == "skip/x.py"


ROUTES = [
    "app/[slug]/page.tsx",
    "app/[[...rest]]/page.tsx",
    "app/(shop)/cart/page.tsx",
    "{{cookiecutter.name}}/main.py",
    "src/[id=integer]/+page.svelte",
    "what?/a*b.txt",
]


@pytest.mark.parametrize("name", ROUTES)
async def test_what_frameworks_write_in_names_names_them(name, use, root):
    for path in (*ROUTES, "app/s/page.tsx", "app/l/page.tsx", "src/i/+page.svelte"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("export\n")
    folder, _, file = name.rpartition("/")
    for pattern in (
        name,
        f"{folder}/**",
        f"**/{folder.split('/')[-1]}/*",
        f"{folder}/{{{file},x}}",
    ):
        assert name in (await use("glob", pattern=pattern)).text.split("\n")
    assert f"{name}:1:" in (await use("grep", pattern="export", glob=f"{folder}/**")).text


async def test_a_choice_that_names_nothing_chooses(use, root):
    (root / "app" / "s").mkdir(parents=True)
    (root / "app" / "s" / "page.tsx").touch()
    assert (await use("glob", pattern="app/[slug]/*.tsx")).text == "app/s/page.tsx"


async def test_nothing_found_says_where_it_would_be(use, root):
    (root / "src").mkdir()
    (root / "src/a.py").touch()
    assert (await use("glob", pattern="*.py")).text == ("[no files match *.py; 1 match **/*.py]")
    none = await use("glob", pattern="*.rs")
    assert (none.text, none.counts) == ("[no files match *.rs]", Counts(files=0))


async def test_a_thousand_at_most(use, root):
    for number in range(1005):
        (root / f"{number:04}.txt").touch()
    outcome = await use("glob", pattern="*.txt")
    assert outcome.counts == Counts(files=1005)
    rows = outcome.text.split("\n")
    assert rows[:2] == ["0000.txt", "0001.txt"]
    assert rows[1000:] == ["[5 more files not shown; narrow the pattern]"]


async def test_a_name_cannot_forge_a_row(use, root):
    (root / "a\nb.py").touch()
    assert (await use("glob", pattern="*.py")).text == "a⏎b.py"


async def test_a_missing_folder(use):
    with pytest.raises(ToolFailed, match="nowhere does not exist"):
        await use("glob", pattern="*", path="nowhere")
