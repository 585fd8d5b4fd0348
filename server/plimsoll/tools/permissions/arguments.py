"""Which words may follow the first words of a permission.

Law: what is not listed is not covered. An option of tomorrow may load code from anywhere.
"""

import re
from dataclasses import dataclass, field

from plimsoll.tools.permissions.words import NotLasting

# No blank: a script may be handed its words without their quotes.
_NAME = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.,+%@/:=\[\]-]*")
_VALUE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.,:+-]*")
_EXPRESSION = re.compile(r"[A-Za-z0-9_(][A-Za-z0-9_., ()+:-]*")
_TARGET = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedArguments:
    """The words that may follow the first words of a program under a permission."""

    verbs: frozenset[str] = frozenset()
    """Words of which one must come next; it is one of the first words."""
    named: frozenset[str] = frozenset()
    """Those of the verbs behind which a name is one of the first words too: ``npm run NAME``."""
    named_alone: bool = False
    """Whether without a verb a name is one of the first words too: ``make NAME``."""
    options: frozenset[str] = frozenset()
    """Options without a value."""
    valued: frozenset[str] = frozenset()
    """Options with a value, which is one name or number."""
    expressions: frozenset[str] = frozenset()
    """Options with a value in which blanks and brackets may stand, as ``a and not b``."""
    paths: bool = False
    """Whether names of files below the folder may come."""
    then: str = ""
    """For people: what may follow."""


def why_not_allowed(words: tuple[str, ...], following: AllowedArguments) -> NotLasting | None:
    """Return why a permission cannot cover these further words of a command; None if it can."""
    waiting = ""
    for word in words:
        if waiting:
            if not _form_of(waiting, following).fullmatch(word):
                return NotLasting(f"`{word}` behind `{waiting}` is not plain")
            waiting = ""
        elif word.startswith("-"):
            name, equals, value = word.partition("=")
            if word in following.options:
                continue
            known = name in following.valued or name in following.expressions
            if not known or (equals and not _form_of(name, following).fullmatch(value)):
                return NotLasting(f"`{name}` is none of the options that are covered")
            waiting = "" if equals else name
        elif not following.paths:
            return NotLasting(f"`{word}` is a further word, which it does not cover")
        elif (why := _refused_path(word)) is not None:
            return why
    return NotLasting(f"the value of `{waiting}` is missing") if waiting else None


def _form_of(option: str, following: AllowedArguments) -> re.Pattern[str]:
    return _EXPRESSION if option in following.expressions else _VALUE


def _refused_path(word: str) -> NotLasting | None:
    if ".." in re.split(r"[/:]", word):
        return NotLasting(f"`{word}` leads out of the folder")
    if not _NAME.fullmatch(word) or "://" in word or ":/" in word:
        return NotLasting(f"`{word}` is not a plain name below the folder")
    if "=" in word.partition("[")[0]:
        return NotLasting(f"`{word}` sets something")
    return None


@dataclass(frozen=True, slots=True)
class Table:
    """The allowed arguments of the programs with these names."""

    names: tuple[str, ...]
    following: AllowedArguments = field(default_factory=AllowedArguments)


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SCRIPTS = AllowedArguments(
    verbs=_set("test run run-script"),
    named=_set("run run-script"),
    options=_set("-s --silent"),
    paths=True,
    then="alone or with names of files below this folder",
)
_WITH_FILES = "alone or with names of files and everyday options"

_TABLES = (
    Table(
        ("pytest", "py.test"),
        AllowedArguments(
            options=_set(
                "-q -qq -v -vv -vvv -s -x -l --lf --last-failed --ff --failed-first --nf --sw "
                "--stepwise --co --collect-only --exitfirst --verbose --quiet --showlocals "
                "--no-header --no-summary -ra -rA -rs -rx -rf --fixtures --markers"
            ),
            valued=_set("-n --tb --maxfail --durations --color"),
            expressions=_set("-k -m"),
            paths=True,
            then=_WITH_FILES,
        ),
    ),
    Table(("npm", "pnpm", "yarn", "bun"), _SCRIPTS),
    Table(
        ("cargo",),
        AllowedArguments(
            verbs=_set("test build check clippy fmt doc"),
            options=_set(
                "-q --quiet -v --verbose -r --release --all --workspace --all-targets "
                "--all-features --no-default-features --lib --bins --tests --no-run --no-fail-fast "
                "--offline --locked"
            ),
            valued=_set("-p --package --test --bin --features -j --jobs"),
            paths=True,
            then=_WITH_FILES,
        ),
    ),
    Table(
        ("go",),
        AllowedArguments(
            verbs=_set("test build vet"),
            options=_set("-v -race -short -failfast"),
            valued=_set("-count -run -timeout -parallel"),
            paths=True,
            then=_WITH_FILES,
        ),
    ),
    Table(
        ("ruff",),
        AllowedArguments(
            verbs=_set("check format"),
            options=_set("--fix --diff --check -q --quiet --statistics"),
            valued=_set("--select --ignore --output-format"),
            paths=True,
            then=_WITH_FILES,
        ),
    ),
    Table(
        ("mypy", "pyright", "basedpyright"),
        AllowedArguments(options=_set("--strict --pretty"), paths=True, then=_WITH_FILES),
    ),
    Table(
        ("git",),
        AllowedArguments(
            verbs=_set("status diff log show blame"),
            options=_set(
                "-s --short -b --branch --porcelain --stat --shortstat --cached --staged "
                "--name-only --name-status --oneline --graph --no-ext-diff -p --patch"
            ),
            valued=_set("-n"),
            paths=True,
            then=_WITH_FILES,
        ),
    ),
    Table(
        ("make", "gmake"),
        AllowedArguments(
            named_alone=True,
            options=_set("-k -s --keep-going --silent"),
            valued=_set("-j"),
            then="alone or with `-k`, `-s`, `-j`",
        ),
    ),
    Table(
        ("tox", "nox"),
        AllowedArguments(
            options=_set("-q -v"), valued=_set("-e -s"), then="alone or with `-e`, `-s`"
        ),
    ),
)
FOLLOWING = {name: table.following for table in _TABLES for name in table.names}
"""What may follow each program that is known; of another exactly its words are covered."""


def first_words(words: tuple[str, ...]) -> tuple[tuple[str, ...], AllowedArguments] | NotLasting:
    """Return the first words that a permission for a command can have, or why there is none."""
    program, *rest = words
    following = FOLLOWING.get(program)
    if following is None:
        return NotLasting(f"of `{program}` exactly these words can be allowed, and no more")
    count = 1
    if following.verbs:
        if not rest or rest[0] not in following.verbs:
            return NotLasting(f"`{program}` alone can do too much")
        count = 2
    if following.named_alone or (following.verbs and rest[0] in following.named):
        count += 1
        if len(words) < count or not _TARGET.fullmatch(words[count - 1]):
            return NotLasting("the name of what it runs is missing")
    wrong = why_not_allowed(words[count:], following)
    return wrong if wrong is not None else (words[:count], following)
