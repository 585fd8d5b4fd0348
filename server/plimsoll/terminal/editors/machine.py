"""The editors that Plimsoll can be used in, by the line that connects each, and those here."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Door = Literal["lsp", "acp", "plugin", "extension"]
"""By what an editor is connected: our server or our agent alone, a plugin, or an extension."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Editor:
    """An editor: how its programs are called, and what connects it."""

    name: str
    programs: tuple[str, ...]
    door: Door
    line: str
    plugin: str | None = None
    """The name of our plugin for it."""


_ACP_FILE = '"Plimsoll": {{"command": "plimsoll", "args": ["acp"]}} in {}'
_JETBRAINS = ("idea", "pycharm", "webstorm", "goland", "clion", "phpstorm", "rubymine", "rustrover")

EDITORS = (
    Editor(
        name="VS Code",
        programs=("code", "codium", "cursor", "code-server"),
        door="extension",
        line="code --install-extension plimsoll.vsix",
    ),
    Editor(
        name="Zed",
        programs=("zed", "zeditor"),
        door="acp",
        line=_ACP_FILE.format("agent_servers of its settings.json"),
    ),
    Editor(
        name="JetBrains",
        programs=_JETBRAINS,
        door="acp",
        line=_ACP_FILE.format("agent_servers of ~/.jetbrains/acp.json"),
    ),
    Editor(
        name="Qt Creator",
        programs=("qtcreator", "qt-creator"),
        door="acp",
        line="an agent with the command: plimsoll acp",
    ),
    Editor(
        name="Neovim",
        programs=("nvim",),
        door="plugin",
        plugin="nvim",
        line="plimsoll editor nvim --install",
    ),
    Editor(
        name="Emacs",
        programs=("emacs",),
        door="plugin",
        plugin="emacs",
        line="plimsoll editor emacs --install",
    ),
    Editor(
        name="Helix",
        programs=("hx", "helix"),
        door="lsp",
        line='[language-server.plimsoll] command = "plimsoll", args = ["serve"]',
    ),
)
"""Those that we know a line for; docs/editors.md says which were tried."""


def find_program(editor: Editor, environment: Mapping[str, str]) -> str | None:
    """Return the path of the first of its programs that is here."""
    path = environment.get("PATH", "")
    found = (shutil.which(program, path=path) for program in editor.programs)
    return next(filter(None, found), None)
