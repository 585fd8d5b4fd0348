"""The commands of a session that may have made protected files which nobody was asked about."""

from dataclasses import dataclass, field

from plimsoll.tools.ports.made import CommandMade
from plimsoll.tools.process.confinement.base import MovedAside


@dataclass(frozen=True, slots=True)
class MadeUnasked:
    """The protected files that an ended command made."""

    command: str
    moved: tuple[MovedAside, ...]


@dataclass(slots=True)
class MadeByCommands:
    """Follows each command from its beginning until the files it made were taken."""

    commands: list[CommandMade] = field(default_factory=list[CommandMade])
    untold: list[str] = field(default_factory=list[str])
    """What became of it, for the model, until the next result carries it."""

    def hear(self, command: CommandMade) -> None:
        """Follow a command that begins."""
        self.commands.append(command)

    def take_over(self, other: "MadeByCommands") -> None:
        """Take over the commands of a subagent's session that has ended."""
        self.commands += other.commands
        self.untold += other.untold

    def take(self) -> tuple[MadeUnasked, ...]:
        """Return the files that ended commands have made, each once."""
        over = [command for command in self.commands if command.is_over]
        self.commands = [command for command in self.commands if command not in over]
        taken = (MadeUnasked(command.command, command.take_moved()) for command in over)
        return tuple(made for made in taken if made.moved)

    def take_untold(self) -> tuple[str, ...]:
        """Return the lines that the model was not told yet, once."""
        told, self.untold = tuple(self.untold), []
        return told
