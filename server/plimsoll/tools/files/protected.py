"""Names through which a change of a file can make something run, or be allowed, later.

The one list; `docs/settings.md` shows it. A "yes" for the session never covers them: each change is
asked about, and the question says why.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from types import MappingProxyType

_GIT = "git runs hooks, filters and commands from it"
_EDITOR = "the editor runs tasks and takes settings from it"
_SERVER = "this server's own name for settings"
_CI = "a service runs what it says, with the project's keys"
_AGENT = "agents take orders or tools from it"
_SHELL = "a shell runs it"
_BUILD = "building, testing or installing runs what it says"
_PYTHON = "Python runs it unasked"

_GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (_GIT, (".git", ".gitattributes", ".gitconfig", ".gitmodules", ".githooks", ".husky")),
    (_GIT, (".pre-commit-config.yaml", "lefthook.yml", "lefthook.yaml", ".lefthook.yml")),
    (_EDITOR, (".vscode", ".idea", ".zed", ".fleet", ".devcontainer", ".devcontainer.json")),
    (_EDITOR, (".vimrc", ".exrc", ".nvim.lua", ".nvimrc", ".dir-locals.el")),
    (_SERVER, (".plimsoll", ".plimsoll.toml", "plimsoll.toml")),
    (_CI, (".github", ".gitlab-ci.yml", ".circleci", ".travis.yml", "jenkinsfile", ".buildkite")),
    (_CI, ("azure-pipelines.yml", "bitbucket-pipelines.yml", ".drone.yml", "appveyor.yml")),
    (_AGENT, ("agents.md", "claude.md", "gemini.md", "copilot-instructions.md", ".mcp.json")),
    (_AGENT, (".cursorrules", ".windsurfrules", ".clinerules", "mcp.json", ".agents", ".claude")),
    (_AGENT, (".cursor", ".codex", ".gemini", ".windsurf", ".continue", ".roo")),
    (_AGENT, (".aider.conf.yml",)),
    (_SHELL, (".envrc", ".bashrc", ".bash_profile", ".profile", ".zshrc", ".zshenv", ".ssh")),
    (_PYTHON, ("conftest.py", "sitecustomize.py", "usercustomize.py")),
    (_BUILD, ("package.json", ".npmrc", ".yarnrc", ".yarnrc.yml", ".yarn", ".pnpmfile.cjs")),
    (_BUILD, ("setup.py", "setup.cfg", "pyproject.toml", "tox.ini", "noxfile.py", "pytest.ini")),
    (_BUILD, ("makefile", "gnumakefile", "justfile", "rakefile", "gemfile", "cmakelists.txt")),
    (_BUILD, ("build.rs", "cargo.toml", ".cargo", "pom.xml", ".mvn", "build.gradle")),
    (_BUILD, ("build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradlew", "mvnw")),
    (_BUILD, ("dockerfile", "docker-compose.yml", "docker-compose.yaml", "compose.yml")),
    (_BUILD, ("compose.yaml", "composer.json", "mix.exs", "deno.json", "taskfile.yml")),
)
NAMES: Mapping[str, str] = MappingProxyType({name: why for why, names in _GROUPS for name in names})
"""Names of protected files and folders, each with the reason; case does not count."""
ENDINGS: Mapping[str, str] = MappingProxyType(
    {
        ".code-workspace": _EDITOR,
        **{f".config.{kind}": _BUILD for kind in ("js", "cjs", "mjs", "ts", "cts", "mts")},
    }
)


def why_protected(parts: tuple[str, ...]) -> str | None:
    """Return why a change of a path must be asked about each time, by any name in it."""
    return next(_reasons(parts), None)


def why_name_protected(name: str) -> str | None:
    """Return why a name is protected."""
    return next(_whys(_folded(name)), None)


def why_acted_on(name: str) -> str | None:
    """Return why a name is protected in every folder, for programs that nobody starts for it.

    What only building, testing or Python runs is none: build tools write such files themselves, and
    the command that runs them is asked about or confined in its turn.
    """
    return next((why for why in _whys(_folded(name)) if why not in {_BUILD, _PYTHON}), None)


def _reasons(parts: tuple[str, ...]) -> Iterator[str]:
    for part in parts:
        for why in _whys(_folded(part)):
            yield f"{part}: {why}"


def _whys(folded: str) -> Iterator[str]:
    if folded in NAMES or folded.startswith("git~"):
        yield NAMES.get(folded, _GIT)
    for ending, why in ENDINGS.items():
        if folded.endswith(ending):
            yield why


def _folded(name: str) -> str:
    """Fold a name as the most forgiving file system does: no case, no ignorable characters."""
    plain = unicodedata.normalize("NFKC", name)
    seen = "".join(character for character in plain if unicodedata.category(character) != "Cf")
    return seen.casefold().split(":")[0].rstrip(". ")
