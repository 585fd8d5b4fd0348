"""docs/commands.md names every command, every option and every slash command that is there."""

import re
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path

from plimsoll.cli import COMMANDS
from plimsoll.session.commands.slash import SLASHES
from plimsoll.terminal.arguments import parser

PAGE = (Path(__file__).parents[2] / "docs" / "commands.md").read_text("utf-8")


def subparsers() -> dict[str, ArgumentParser]:
    return below(parser())


def below(one: ArgumentParser) -> dict[str, ArgumentParser]:
    found = [each for each in one._actions if isinstance(each, _SubParsersAction)]
    return {name: each for action in found for name, each in action.choices.items()}


def with_all_below(one: ArgumentParser) -> Iterator[ArgumentParser]:
    yield one
    for each in below(one).values():
        yield from with_all_below(each)


def test_every_command_has_its_place():
    assert set(subparsers()) == set(COMMANDS)
    assert set(re.findall(r"`plimsoll (\w[\w-]*)[^`]*`", PAGE)) == set(COMMANDS)


def test_every_option_is_told_and_no_other():
    shown = {
        option
        for one in with_all_below(parser())
        for action in one._actions
        if action.help != "==SUPPRESS=="
        for option in action.option_strings
        if option.startswith("--") and option != "--help"
    }
    # Options of slash commands are compared below.
    told = re.sub(r"^\| `/.*$", "", PAGE, flags=re.MULTILINE)
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", told)) == shown


def test_every_slash_command_is_told_as_it_is():
    told = re.findall(r"^\| `/([\w-]+)([^`]*)` \|", PAGE, re.MULTILINE)
    assert {name for name, _ in told} == set(SLASHES)
    arguments: dict[str, set[str]] = {}
    for name, rest in told:
        arguments.setdefault(name, set()).add(rest.strip())
    assert arguments == {
        name: set(command.arguments.split(" | ")) for name, command in SLASHES.items()
    }
