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
    """The file that the line loads, or the folder that it searches."""
    line: str
    comment: str
    """What begins a comment of the editor's language."""
    is_own: bool
    """Whether the file that is written is ours alone; the line is appended to one that is not."""
    find_file: Callable[[Mapping[str, str]], Path]
    """Where the line goes, by the environment."""
    then: str
    """What to do in the editor next."""
    trial: tuple[str, ...] = ()
    """Arguments with which the editor starts the server and ends; ``{code}`` is the line."""

    @property
    def code(self) -> str:
        """The one line, without its end."""
        # What JSON escapes in a path, Lua and Emacs Lisp escape likewise.
        return self.line.format(path=json.dumps(str(self.loads), ensure_ascii=False))


def _neovim_file(environment: Mapping[str, str]) -> Path:
    home = Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return home / environment.get("NVIM_APPNAME", "nvim") / "plugin" / "plimsoll.lua"


def _emacs_file(environment: Mapping[str, str]) -> Path:
    """Return the init file that Emacs would read, or would if it were there."""
    home = Path.home()
    folders = (
        home / ".emacs.d",
        Path(environment.get("XDG_CONFIG_HOME") or home / ".config", "emacs"),
    )
    there = next(filter(Path.is_dir, folders), folders[0])
    files = (home / ".emacs.el", home / ".emacs", there / "init.el")
    return next(filter(Path.is_file, files), files[-1])


PLUGINS = {
    "nvim": Plugin(
        title="Neovim",
        loads=FOLDER / "nvim" / "plugin" / "plimsoll.lua",
        line="vim.cmd.source({path})",
        comment="--",
        is_own=True,
        find_file=_neovim_file,
        then=":Plimsoll opens the chat, :help plimsoll and :checkhealth plimsoll tell the rest.",
        trial=(
            "--headless",
            "--clean",
            "-c",
            "lua {code}",
            "-c",
            "lua require('plimsoll.trial').run()",
        ),
    ),
    "emacs": Plugin(
        title="Emacs",
        loads=FOLDER / "emacs",
        line="(progn (add-to-list 'load-path {path}) (autoload 'plimsoll \"plimsoll\" nil t))",
        comment=";;",
        is_own=False,
        find_file=_emacs_file,
        then="M-x plimsoll opens the conversation of the project.",
        trial=(
            *("--batch", "-Q", "--eval", "{code}", "--eval", "(require 'plimsoll)", "--eval"),
            # Nobody is asked whether the empty folder is trusted: it is not.
            (
                "(condition-case problem"
                " (cl-letf (((symbol-function 'y-or-n-p) #'ignore)) (plimsoll-open-project nil))"
                ' (error (message "%s" (error-message-string problem)) (kill-emacs 1)))'
            ),
        ),
    ),
}
"""The plugins by the name that `plimsoll editor` takes."""
