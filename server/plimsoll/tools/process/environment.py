"""Says which variables a command gets: no secret, and nothing that makes programs run code."""

import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path

from plimsoll.redaction.variables import is_secret

# Loaders, interpreters and git run or configure what these say; proxies send traffic elsewhere.
_STEERING_NAME = re.compile(
    r"(LD_|DYLD_|PYTHON|GIT_CONFIG|BASH_FUNC_|PLIMSOLL_|VSCODE_|ELECTRON_|PERL5|RUBY|NPM_CONFIG_)"
    r"|(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|IFS|CDPATH|GLOBIGNORE|NODE_OPTIONS"
    r"|NODE_PATH|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|LESSOPEN|LESSCLOSE|EDITOR"
    r"|VISUAL|BROWSER|SSH_ASKPASS|SUDO_ASKPASS"
    r"|GIT_(ASKPASS|SSH|SSH_COMMAND|EDITOR|SEQUENCE_EDITOR|EXTERNAL_DIFF|PROXY_COMMAND"
    r"|EXEC_PATH|TEMPLATE_DIR|DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY))$"
    r"|.*_PROXY$"
)
# A person's own libraries, such as CUDA's, are found by these; a relative folder is a repository's.
_LIBRARIES = frozenset({"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"})
# Programs give these to a shell, with the file behind them.
_NO_EDITOR = (
    "echo 'No editor opens here: nobody sits at it. Give the text with an option, such as "
    "-m TEXT, -F FILE or --no-edit; GIT_EDITOR=true takes what git proposes.' >&2; false"
)


def _giving_way(setting: str, otherwise: str) -> str:
    """Return a shell command that runs the editor set by ``git -c``, or else another program.

    To git the variable comes before every setting, and so before ``git -c core.editor=true`` too;
    what stands in a file, such as ``vim``, would wait for a person.
    """
    return (
        f'edit() {{ case "$(git config --show-scope --get {setting} 2>/dev/null)" in '
        f'command*) eval "$(git config --get {setting}) \\"\\$@\\"";; '
        f"*) {otherwise};; esac; }}; edit"
    )


_GIT_EDITOR = _giving_way("core.editor", _NO_EDITOR)
# As for git itself: where nothing orders the steps, the editor of texts does.
_GIT_SEQUENCE_EDITOR = _giving_way("sequence.editor", 'eval "${GIT_EDITOR:-false} \\"\\$@\\""')
_SET = {
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    # Nobody is there who could answer.
    **dict.fromkeys(("EDITOR", "VISUAL"), _NO_EDITOR),
    "GIT_EDITOR": _GIT_EDITOR,
    "GIT_SEQUENCE_EDITOR": _GIT_SEQUENCE_EDITOR,
    **dict.fromkeys(("GIT_ASKPASS", "SSH_ASKPASS", "SUDO_ASKPASS"), "false"),
    "GIT_TERMINAL_PROMPT": "0",
    "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
    "PIP_NO_INPUT": "1",
    "DEBIAN_FRONTEND": "noninteractive",
}
# Linux takes 131,072 bytes of one string, and two megabytes of all with the usual stack.
_LONGEST_PATH = 50_000
_LONGEST_STRING = 100_000
_LONGEST_ENVIRONMENT = 500_000


def child_environment(
    environment: Mapping[str, str], given_back: Collection[str] = (), workspace: str = ""
) -> dict[str, str]:
    """Filter the server's own environment for a command or a search program.

    ``given_back``: variables that steer programs and that a person lets through; never secrets.
    ``workspace``: the folder from which no library must be loaded.

    Names count in any case. Proxy settings go too: a command that needs one names it where a
    person can see it. What is so long that the system starts no program with it is left out; of
    PATH the first entries stay.
    """
    named = {name: value for name, value in environment.items() if not is_secret(name, value)}
    kept = {
        name: value
        for name, value in named.items()
        if name in given_back or not _STEERING_NAME.match(name.upper())
    }
    for name in _LIBRARIES & (named.keys() - kept.keys()):
        if folders := _outside(named[name], workspace):
            kept[name] = folders
    if len(path := kept.get("PATH", "")) > _LONGEST_PATH:
        kept["PATH"] = path[:_LONGEST_PATH].rpartition(os.pathsep)[0]
    room = _LONGEST_ENVIRONMENT
    for name in sorted(kept, key=lambda name: (name != "PATH", len(kept[name]))):
        length = len(os.fsencode(name)) + len(os.fsencode(kept[name]))
        room -= length
        if length > _LONGEST_STRING or room < 0:
            del kept[name]
    # What a person lets through is theirs to set.
    own = {name: value for name, value in _SET.items() if name not in given_back}
    return {**kept, **own}


def _outside(paths: str, workspace: str) -> str:
    """Return the absolute folders in a list such as PATH that lie in no workspace."""
    plain = [os.path.normpath(path) for path in paths.split(os.pathsep) if path.startswith("/")]
    return os.pathsep.join(
        path
        for path in plain
        if not workspace
        or not any(Path(at).is_relative_to(workspace) for at in (path, os.path.realpath(path)))
    )
