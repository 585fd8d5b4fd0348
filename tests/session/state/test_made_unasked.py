"""Protected files that commands made are taken once each, when the command has ended."""

from dataclasses import dataclass
from pathlib import Path

from plimsoll.session.state.made_unasked import MadeByCommands, MadeUnasked
from plimsoll.tools.process.confinement.base import MovedAside

HOOK = MovedAside(path=Path("/w/.git/hooks/x"), place=Path("/aside/x"), why="It runs by itself.")


@dataclass
class Command:
    """A command that made these files."""

    command: str
    is_over: bool = False
    moved: tuple[MovedAside, ...] = ()

    def take_moved(self) -> tuple[MovedAside, ...]:
        taken, self.moved = self.moved, ()
        return taken


def test_what_a_command_made_is_taken_once_it_has_ended():
    made, runs, clean = MadeByCommands(), Command("make", moved=(HOOK,)), Command("ls", True)
    made.hear(runs)
    made.hear(clean)
    assert made.take() == ()
    assert made.commands == [runs]
    runs.is_over = True
    assert made.take() == (MadeUnasked("make", (HOOK,)),)
    assert made.take() == ()


def test_the_commands_of_a_subagent_are_taken_over():
    made, other = MadeByCommands(), MadeByCommands()
    other.hear(Command("make", True, (HOOK,)))
    other.untold.append("one was kept")
    made.untold.append("two were kept")
    made.take_over(other)
    assert made.take() == (MadeUnasked("make", (HOOK,)),)
    assert made.take_untold() == ("two were kept", "one was kept")
    assert made.take_untold() == ()
