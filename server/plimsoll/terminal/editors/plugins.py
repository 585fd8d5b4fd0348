"""Our plugins for editors, which lie in the package: what loads each, and where that goes."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import plimsoll

FOLDER = Path(plimsoll.__file__).parent / "editors"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """A plugin for an editor; ``line`` has ``{path}`` where the quoted path of ``loads`` stands."""

    title: str
    loads: Path
    """The file that the line loads."""
    line: str
    comment: str
    """What begins a comment of the editor's language."""
    is_own: bool
    """Whether the file that is written is ours alone; the line is appended to one that is not."""
    find_file: Callable[[Mapping[str, str]], Path]
    """Where the line goes, by the environment."""
    then: str
    """What to do in the editor next."""

    @property
    def code(self) -> str:
        """The one line, without its end."""
        # What JSON escapes in a path, Lua and Emacs Lisp escape alike.
        return self.line.format(path=json.dumps(str(self.loads), ensure_ascii=False))


def _neovim_file(environment: Mapping[str, str]) -> Path:
    home = Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return home / environment.get("NVIM_APPNAME", "nvim") / "plugin" / "plimsoll.lua"


PLUGINS = {
    "nvim": Plugin(
        title="Neovim",
        loads=FOLDER / "nvim" / "plugin" / "plimsoll.lua",
        line="vim.cmd.source({path})",
        comment="--",
        is_own=True,
        find_file=_neovim_file,
        then=":Plimsoll opens the chat, :help plimsoll and :checkhealth plimsoll tell the rest.",
    ),
}
"""The plugins by the name that `plimsoll editor` takes."""
