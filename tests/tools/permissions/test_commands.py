"""What was allowed for good, against commands that begin alike and are something else."""

import json
from pathlib import Path

import pytest

from plimsoll.tools.permissions.commands import command_scopes, first_words_refused
from plimsoll.tools.permissions.definitions import CommandPlaces
from plimsoll.tools.permissions.words import NotLasting

ALLOWED = ("pytest", "pytest -q tests/test_a.py", "npm test", "npm run lint", "make test")
"""What a person allows for good here, each by exactly its words and by its first words."""
MAKEFILE = "test:\n\techo ok\n"

ALIKE = {
    # Another command behind, before, or within.
    "pytest; rm -rf src": "`;` begins another command",
    "pytest;rm -rf src": "`;` begins another command",
    "pytest && rm -rf src": "`&` begins another command",
    "pytest & rm -rf src": "`&` begins another command",
    "pytest || rm -rf src": "`|` begins another command",
    "pytest | sh": "`|` begins another command",
    "pytest |& sh": "`|` begins another command",
    "pytest\nrm -rf src": "a line break begins another command",
    "pytest\r\nrm -rf src": "a line break begins another command",
    "pytest 'a\nb'": "a line break begins another command",
    "pytest $(rm -rf src)": "`$` stands for what is known only when it runs",
    "pytest `rm -rf src`": "a backtick runs another command",
    'pytest "$(rm -rf src)"': "`$` stands for what is known only when it runs",
    'pytest "`rm -rf src`"': "a backtick runs another command",
    "pytest <(rm -rf src)": "`<` reads another file",
    "pytest > src/a.py": "`>` writes a file",
    "pytest >> src/a.py": "`>` writes a file",
    "pytest 2>src/a.py": "`>` writes a file",
    "pytest < /etc/passwd": "`<` reads another file",
    "(pytest; rm src)": "`(` begins another command",
    "pytest() { rm -rf src; }; pytest": "`(` begins another command",
    "! pytest": "`!` has a meaning of its own",
    "pytest # and more": "`#` begins a comment",
    # What is known only when it runs.
    "pytest $ARGS": "`$` stands for what is known only when it runs",
    "$RUN pytest": "`$` stands for what is known only when it runs",
    'pytest "$ARGS"': "`$` stands for what is known only when it runs",
    "pytest $'\\x2dp' evil": "`$` stands for what is known only when it runs",
    "pytest *": "`*` stands for whatever files there are",
    "py*": "`*` stands for whatever files there are",
    "pytest tests/test_?.py": "`?` stands for whatever files there are",
    "pytest {-p,evil}": "`{` stands for several words",
    "pytest ~/x": "`~` stands for a folder outside",
    "pytest \\-p evil": "a backslash changes what follows it",
    "pytest 'a": "a quotation mark is not closed",
    # Something that makes the words mean another thing.
    "PYTEST_ADDOPTS=-pevil pytest": "`PYTEST_ADDOPTS=-pevil` sets a variable before the command",
    "PATH=. pytest": "`PATH=.` sets a variable before the command",
    "alias pytest=rm": "`alias` runs something else, or changes what a later command means",
    "env pytest": "`env` runs something else, or changes what a later command means",
    "sudo pytest": "`sudo` runs something else, or changes what a later command means",
    "command pytest": "`command` runs something else, or changes what a later command means",
    "exec pytest": "`exec` runs something else, or changes what a later command means",
    "eval pytest": "`eval` runs something else, or changes what a later command means",
    "xargs pytest": "`xargs` runs something else, or changes what a later command means",
    "timeout 9 pytest": "`timeout` runs something else, or changes what a later command means",
    ". pytest": "`.` runs something else, or changes what a later command means",
    "cd src": "`cd` runs something else, or changes what a later command means",
    # Another word that looks like it.
    "pytesт": "a sign can be taken for another one",
    "pytest\u00a0-q": "a sign can be taken for another one",
    "pytest \u2011q": "a sign can be taken for another one",
    "pytestx": "no program `pytestx` is found",
    "Pytest": "no program `Pytest` is found",
    "./pytest": "of a program by its path exactly the words count",
    "src/../pytest": "`src/../pytest` leads out of the folder",
    # Options that load or write elsewhere.
    "pytest --pyargs os": "`--pyargs` is none of the options that are covered",
    "pytest -p evil": "`-p` is none of the options that are covered",
    "pytest -pevil": "`-pevil` is none of the options that are covered",
    "pytest -c evil.ini": "`-c` is none of the options that are covered",
    "pytest --rootdir=/": "`--rootdir` is none of the options that are covered",
    "pytest --rootd=/": "`--rootd` is none of the options that are covered",
    "pytest --basetemp=src": "`--basetemp` is none of the options that are covered",
    "pytest -o python_files=x": "`-o` is none of the options that are covered",
    "pytest --junitxml=src/a.py": "`--junitxml` is none of the options that are covered",
    "pytest -q -- -p evil": "`--` is none of the options that are covered",
    "pytest @more": "`@more` is not a plain name below the folder",
    "pytest -k": "the value of `-k` is missing",
    "pytest -k -p": "`-p` behind `-k` is not plain",
    "pytest -n '2 -p evil'": "`2 -p evil` behind `-n` is not plain",
    "pytest 'a b'": "`a b` is not a plain name below the folder",
    "pytest -k=x --tb=/x": "`--tb` is none of the options that are covered",
    "pytest /etc": "`/etc` is not a plain name below the folder",
    "pytest ../other": "`../other` leads out of the folder",
    "pytest tests/../../x": "`tests/../../x` leads out of the folder",
    "pytest away/x.py": "`away/x.py` leads out of the folder",
    "pytest https://evil.example": "`https://evil.example` is not a plain name below the folder",
    # Other tasks of the runners, other files, and what is handed to a script.
    "npm": "`npm` alone can do too much",
    "npm publish": "`npm` alone can do too much",
    "npm install evil": "`npm` alone can do too much",
    "npm exec evil": "`npm` alone can do too much",
    "npm run": "the name of what it runs is missing",
    "npm run deploy": None,
    "npm test -- --config x": "`--config` lets `npm` read other files",
    "npm test 'a --config x'": "`a --config x` is not a plain name below the folder",
    "npm test 'a; rm -rf src'": "`a; rm -rf src` is not a plain name below the folder",
    "npm test -- -u": "`--` is none of the options that are covered",
    "npm test --prefix ../other": "`--prefix` lets `npm` read other files",
    "npm --prefix=x test": "`--prefix=x` lets `npm` read other files",
    "npm test --script-shell=x": "`--script-shell=x` lets `npm` read other files",
    "npm test -w other": "`-w` lets `npm` read other files",
    "make": "the name of what it runs is missing",
    "make deploy": None,
    "make test deploy": "`deploy` is a further word, which it does not cover",
    "make test SHELL=x": "`SHELL=x` is a further word, which it does not cover",
    "make -f other.mk test": "`-f` lets `make` read other files",
    "make -C src test": "`-C` lets `make` read other files",
    "make --eval=x test": "`--eval=x` lets `make` read other files",
    # Programs that run whatever they are told.
    "python -c 'import os'": "`python` runs whatever its words say",
    "python": "`python` runs whatever its words say",
    "bash -c pytest": "`bash` runs whatever its words say",
    "node -e 1": "`node` runs whatever its words say",
    "git": "`git` alone can do too much",
    "git push": "`git` alone can do too much",
    "git -c core.pager=x status": "`git` alone can do too much",
    "git diff --no-index /etc/passwd": "`--no-index` is none of the options that are covered",
    "git diff --ext-diff": "`--ext-diff` is none of the options that are covered",
    "npx evil": "of `npx` exactly these words can be allowed, and no more",
}
"""Each with the reason why no first words cover it; none: other first words do."""
MEANT = (
    "pytest -q",
    "pytest  -q\ttests/test_a.py",
    "'pytest' tests",
    "pytest tests/test_a.py::test_b -x",
    "pytest 'tests/test_a.py::test_b[c-1]'",
    "pytest -k 'a and not b' -m 'not slow' --maxfail=1 --tb short",
    "npm test",
    "npm test src/a.test.ts",
    "npm run lint src",
    "make test -j 4",
)


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def places(tmp_path: Path) -> CommandPlaces:
    names = "pytest npm npx make python bash node git sudo env xargs timeout uv just tox cargo"
    for name in names.split():
        program(tmp_path / "bin" / name)
    root = tmp_path / "work"
    program(root / "pytest")
    (root / "src").mkdir()
    (root / "away").symlink_to(tmp_path)
    (root / "package.json").write_text('{"scripts": {"test": "vitest", "lint": "biome"}}')
    (root / "Makefile").write_text(MAKEFILE)
    return CommandPlaces(root, (root,), f"{root}/.venv/bin:{tmp_path}/bin")


def kept(places: CommandPlaces, *commands: str) -> dict[tuple[str, str], object]:
    found = [command_scopes(each, places) for each in commands]
    assert not any(isinstance(each, NotLasting) for each in found), found
    return {(s.kind, s.subject): s.defined_by for each in found for s in each}


def runs(command: str, allowed: dict[tuple[str, str], object], places: CommandPlaces) -> bool:
    """Tell as the session does whether something that was allowed covers a command."""
    found = command_scopes(command, places)
    if isinstance(found, NotLasting):
        return False
    return any(allowed.get((each.kind, each.subject)) == each.defined_by for each in found)


@pytest.mark.parametrize("command", ALIKE)
def test_what_only_begins_alike_is_asked_about(command: str, places: CommandPlaces):
    assert not runs(command, kept(places, *ALLOWED), places)
    refused = first_words_refused(command, places)
    assert (refused.why if refused else None) == ALIKE[command]


@pytest.mark.parametrize("command", MEANT)
def test_what_was_meant_runs(command: str, places: CommandPlaces):
    assert runs(command, kept(places, *ALLOWED), places)


def test_exactly_these_words_cover_no_others(places: CommandPlaces):
    (exact,) = command_scopes("npx vitest run", places)
    assert (exact.what, exact.covers) == ("`npx vitest run`", "exactly these words")
    allowed = kept(places, "npx vitest run")
    assert runs("npx  'vitest' run", allowed, places)
    assert not any(runs(c, allowed, places) for c in ("npx vitest", "npx vitest run x", "npx"))
    assert json.loads(exact.subject) == ["foreground", "npx", "vitest", "run"]


def test_in_the_background_is_another_thing(places: CommandPlaces):
    behind = command_scopes("npm test", places, background=True)
    assert not isinstance(behind, NotLasting)
    assert [each.what for each in behind] == [
        "`npm test` in the background",
        "`npm test …` in the background",
    ]
    allowed = {(each.kind, each.subject): each.defined_by for each in behind}
    assert not runs("npm test", allowed, places)


CHANGES = {
    "the script": ("npm test", "package.json", '{"scripts": {"test": "rm -rf src"}}'),
    "a script before it": ("npm test", "package.json", '{"scripts": {"pretest": "x"}}'),
    "the shell of scripts": ("npm test", ".npmrc", "script-shell=./evil"),
    "the recipe": ("make test", "Makefile", "test:\n\trm -rf src\n"),
    "a makefile that comes first": ("make test", "GNUmakefile", MAKEFILE),
    "the file of a script": ("bash run.sh", "run.sh", "rm -rf src"),
    "a module of the folder": ("python -m pytest", "pytest.py", "x"),
    "a package of the folder": ("python -m pytest", "pytest/__main__.py", "x"),
    "a runner's own tool": ("uv run pytest", ".venv/bin/pytest", "x"),
    "what a runner runs": ("uv run make test", "Makefile", "x"),
    "the environments": ("tox -e py", "tox.ini", "[testenv]\ncommands = x"),
    "an alias": ("cargo test", ".cargo/config.toml", "[alias]\ntest = 'run'"),
    "what runs a crate's tests": ("cargo test", "Cargo.toml", "x"),
    "the recipe of just": ("just test", "justfile", "test:\n  rm -rf src"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_runs_something_else_by_now_is_asked_about(what: str, places: CommandPlaces):
    command, name, text = CHANGES[what]
    (places.root / "pytest").unlink()
    for needed in ("run.sh", "tox.ini", "Cargo.toml", "justfile"):
        (places.root / needed).write_text("")
    allowed = kept(places, command)
    assert runs(command, allowed, places)
    file = places.root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    assert not runs(command, allowed, places)


def test_a_program_that_the_agent_could_put_there_is_another_one(places: CommandPlaces):
    """An entry of PATH in the folder counts by its content; one that depends on it not at all."""
    allowed = kept(places, "pytest")
    own = program(places.root / ".venv/bin/pytest")
    assert not runs("pytest", allowed, places)
    allowed = kept(places, "pytest")
    assert runs("pytest", allowed, places)
    program(own, "#!/bin/sh\nrm -rf src\n")
    assert not runs("pytest", allowed, places)
    for path in ("", ".", "bin", f":{places.path}"):
        here = CommandPlaces(places.root, places.writable, path)
        assert command_scopes("pytest", here) == NotLasting(
            "PATH has an entry that depends on the folder"
        )


def test_a_folder_in_path_that_leads_into_the_workspace_counts_as_there(
    places: CommandPlaces, tmp_path: Path
):
    (tmp_path / "link").symlink_to(places.root / "tools")
    linked = CommandPlaces(places.root, places.writable, f"{tmp_path}/link:{tmp_path}/bin")
    allowed = kept(linked, "pytest")
    program(places.root / "tools/pytest")
    assert not runs("pytest", allowed, linked)


@pytest.mark.parametrize(
    ("command", "name", "text"),
    [
        ("make test", "Makefile", "include other.mk\ntest:\n"),
        ("make test", "Makefile", "-include *.mk\ntest:\n"),
        pytest.param(
            *("make test", "Makefile", f"test:\n{'#' * 2_000_000}\ninclude other.mk\n"),
            id="far behind what is searched",
        ),
        ("make test", "Makefile", "$(eval $(shell cat x))\ntest:\n"),
        ("just test", "justfile", "import 'other.just'\n"),
        ("make test", "Makefile", None),
        ("npm test", "package.json", None),
    ],
)
def test_a_runner_that_reads_what_cannot_be_named_is_always_asked_about(
    command: str, name: str, text: str | None, places: CommandPlaces
):
    file = places.root / name
    file.unlink(missing_ok=True)
    if text is not None:
        file.write_text(text)
    assert isinstance(command_scopes(command, places), NotLasting)
