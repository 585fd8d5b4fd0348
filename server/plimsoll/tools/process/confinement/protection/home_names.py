"""Finds where names of the home folder end in a workspace, as where settings are kept in one.

A shell, git or an editor acts on ``~/.bashrc`` wherever that leads. Every link is followed whose
name begins with a dot, that stands in a folder of such a name, or in a folder of ``~/.config``;
and, since a workspace may lie among a person's settings, the names below by which they act.
"""

import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from plimsoll.tools.process.confinement.protection.links import Chain, follow, inside
from plimsoll.tools.process.confinement.protection.tree import TICK_NANOSECONDS

_CONFIG = ".config"
_NO_SETTINGS = frozenset({".cache"})
# Whose links count too, though they lie deeper.
_FOLDERS = (
    *(".local/share/applications", ".local/share/systemd/user", ".config/systemd/user"),
    *(".config/fish/conf.d", ".config/fish/functions", ".config/nvim/lua", ".config/nvim/plugin"),
    *(f".config/{editor}/User" for editor in ("Code", "Code - OSS", "Cursor", "VSCodium")),
    *(".ipython/profile_default/startup", ".oh-my-zsh/custom/plugins", "Library/LaunchAgents"),
    "Library/Application Support/Code/User",
)
_NAMES = (
    *(f".config/fish/{name}" for name in ("config.fish", "conf.d", "functions", "completions")),
    *(f".config/nvim/{name}" for name in ("init.lua", "init.vim", "lua", "plugin", "after")),
    *(f".config/git/{name}" for name in ("config", "attributes", "hooks")),
    *(f".config/helix/{name}" for name in ("config.toml", "languages.toml")),
    *(f".config/nushell/{name}" for name in ("config.nu", "env.nu", "login.nu")),
    *(f".config/Code/User/{name}.json" for name in ("settings", "tasks", "keybindings", "mcp")),
    *(f".config/{name}/config" for name in ("i3", "sway", "ghostty")),
    *(".config/kitty/kitty.conf", ".config/alacritty/alacritty.toml", ".config/hypr/hyprland.conf"),
    *(".config/tmux/tmux.conf", ".config/wezterm/wezterm.lua", ".config/starship.toml"),
    *(".config/direnv/direnvrc", ".config/mise/config.toml", ".config/powershell/profile.ps1"),
    *(".config/systemd/user", ".config/autostart", ".config/environment.d", ".config/zsh/.zshrc"),
    *(".ssh/config", ".ssh/rc", ".ssh/environment", ".ssh/authorized_keys"),
    *(".emacs.d/init.el", ".emacs.d/early-init.el", ".vim/vimrc", ".vim/plugin", ".vim/after"),
    *(".cargo/config.toml", ".cargo/config", ".cargo/env", ".cargo/bin", ".local/bin"),
)
_MOST = 5_000
"""Entries of one folder that are looked at."""


@dataclass(frozen=True, slots=True)
class _LinksAndFolders:
    changed: int
    links: tuple[str, ...]
    folders: tuple[str, ...]


class HomeNames:
    """The settings in a home folder that lead by links into one workspace."""

    def __init__(self, root: Path, home: Path) -> None:
        self._root = root
        self._home = str(home)
        self._config = os.environ.get("XDG_CONFIG_HOME") or f"{home}/{_CONFIG}"
        self._listed: dict[str, _LinksAndFolders] = {}

    def ends(self) -> Iterator[tuple[str, Chain]]:
        """Yield the names of settings that end below the workspace, each with its links; blocks."""
        for name in dict.fromkeys((*self._links(), *map(self._at, _NAMES))):
            chain = follow(self._root, name)
            if chain.end is not None and inside(str(self._root), chain.end) is not None:
                yield self._abbreviate_home(name), chain

    def _at(self, name: str) -> str:
        first, _, below = name.partition("/")
        return f"{self._config}/{below}" if first == _CONFIG else f"{self._home}/{name}"

    def _abbreviate_home(self, path: str) -> str:
        return f"~{path.removeprefix(self._home)}" if inside(self._home, path) else path

    def _links(self) -> Iterator[str]:
        """Yield the links among a person's settings files."""
        home = self._list(self._home)
        yield from (f"{self._home}/{name}" for name in home.links if name.startswith("."))
        folders = [name for name in home.folders if name.startswith(".")]
        settings = [name for name in folders if name not in {_CONFIG, *_NO_SETTINGS}]
        below = self._list(self._config).folders
        of_config = (self._config, *(f"{self._config}/{name}" for name in below))
        yield from self._links_in(f"{self._home}/{name}" for name in settings)
        yield from self._links_in((*of_config, *map(self._at, _FOLDERS)))

    def _links_in(self, folders: Iterable[str]) -> Iterator[str]:
        root = str(self._root)
        for folder in folders:
            # What stands in the workspace itself is looked at there.
            if not f"{folder}/".startswith(f"{root}/"):
                yield from (f"{folder}/{name}" for name in self._list(folder).links)

    def _list(self, folder: str) -> _LinksAndFolders:
        """List a folder, or return the earlier list if the folder has not changed."""
        try:
            changed = Path(folder).stat().st_ctime_ns
            if time.time_ns() - changed < TICK_NANOSECONDS:
                return _list_folder(folder, changed)
            known = self._listed.get(folder)
            if known is None or known.changed != changed:
                known = self._listed[folder] = _list_folder(folder, changed)
        except OSError:
            return _LinksAndFolders(0, (), ())
        return known


def _list_folder(folder: str, changed: int) -> _LinksAndFolders:
    links: list[str] = []
    folders: list[str] = []
    with os.scandir(folder) as entries:
        for entry in islice(entries, _MOST):
            if entry.is_symlink():
                links.append(entry.name)
            elif entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
    return _LinksAndFolders(changed, tuple(sorted(links)), tuple(sorted(folders)))
