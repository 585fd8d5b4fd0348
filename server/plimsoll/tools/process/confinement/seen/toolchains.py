"""Says what of the home and of the environment's folders a command sees: toolchains and settings.

A home is empty but for tools: what is not listed is not visible. Inside of a tool's folder, what
bears the name of a credential or holds one is closed.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from plimsoll.redaction.variables import has_secret_name, holds_secret
from plimsoll.text.lines import lines_of
from plimsoll.tools.process.confinement.seen.looks import (
    entries,
    is_folder,
    is_program,
    names_in,
    real,
    text_of,
    there_below,
    within,
)

_TOOLCHAINS = (
    *(".local/bin", ".local/lib", ".local/pipx", ".local/share/uv", ".local/share/pipx"),
    *(".local/share/pnpm", ".local/share/mise", ".local/share/fnm", ".local/share/virtualenvs"),
    *(".local/share/gem", ".local/share/rtx", ".virtualenvs", ".venv", ".venvs", "venv", "venvs"),
    *(".cargo", ".rustup", ".nvm", ".fnm", ".volta", ".asdf", ".mise", ".pyenv", ".rbenv", ".rvm"),
    *(".gem", ".sdkman", ".jenv", ".npm", ".npm-global", ".bun", ".deno", ".yarn", ".pnpm-store"),
    *("go", ".go", ".gvm", ".goenv", ".dotnet", ".nuget/packages", ".m2/repository", ".m2/wrapper"),
    *(".gradle/wrapper", ".gradle/caches", ".ghcup", ".cabal", ".stack", ".opam", ".elan"),
    *(".juliaup", ".julia", ".conda", "miniconda3", "anaconda3", "miniforge3", "mambaforge"),
    *(".linuxbrew", ".swiftly", ".swiftpm", ".zvm", ".kerl", ".ccache", ".pub-cache", "flutter"),
)
_SETTINGS = (".gitconfig", ".config/git", ".npmrc", ".config/pip", ".condarc", ".editorconfig")
# Inside of what is shown above.
_CREDENTIALS = (
    *(
        ".local/share/uv/credentials",
        ".local/share/gem/credentials",
        ".pub-cache/credentials.json",
        ".dotnet/corefx",
        ".julia/logs",
        ".cargo/credentials",
        ".cargo/credentials.toml",
        ".config/git/credentials",
        ".gem/credentials",
    ),
    *(".yarn/credentials", ".npm/_logs", ".julia/servers", ".cabal/config", ".stack/config.yaml"),
)
_NAMING = (
    *(
        "VIRTUAL_ENV",
        "CONDA_PREFIX",
        "PYENV_ROOT",
        "NVM_DIR",
        "RUSTUP_HOME",
        "CARGO_HOME",
        "GOPATH",
    ),
    *("GOROOT", "JAVA_HOME", "PNPM_HOME", "VOLTA_HOME", "SDKMAN_DIR", "BUN_INSTALL", "DOTNET_ROOT"),
)
_PROGRAMS = frozenset({"bin", "sbin", "shims"})
# What stands beside the programs of a toolchain that has a folder of its own.
_OF_PREFIX = ("lib", "lib64", "libexec", "share", "pyvenv.cfg", "versions")
_LONGEST_SETTINGS = 100_000
_SETTINGS_FOLDERS = (".config/git", ".config/pip")
_MOST_PROGRAM_FOLDERS = 500
_KERNEL = tuple(map(Path, ("/proc", "/sys", "/dev")))
_SECRET_FILE = re.compile(
    r"credential|secret|token|passw|(^|[._-])(auth|history|netrc|npmrc|pypirc)($|[._-])"
    r"|^\.env|\.(key|pfx|p12|keystore|jks|kdbx)$",
    re.IGNORECASE,
)
_SETTINGS_FILE = re.compile(r"^(config|settings)(\.|$)|rc$|\.(toml|ini|properties)$")


def toolchains(
    homes: tuple[Path, ...], root: Path, environment: Mapping[str, str]
) -> Iterator[Path]:
    """Yield the folders of tools and the harmless settings that a command sees; blocks.

    ``homes``: the home folder first, then others that are the person's.
    """
    home = homes[0]
    yield from there_below(home, _TOOLCHAINS)
    yield from filter(_is_harmless, there_below(home, _SETTINGS))
    environments = there_below(home, [f"{name}/pyvenv.cfg" for name in names_in(home)])
    yield from (marker.parent for marker in environments)
    named = dict.fromkeys(environment.get("PATH", "").split(os.pathsep))
    for program in absolute(islice(named, _MOST_PROGRAM_FOLDERS)):
        if _is_tool(program, homes) and root not in (program, *program.parents):
            yield _prefix(program, homes)
    for folder in absolute(environment.get(name, "") for name in _NAMING):
        if _is_tool(folder, homes):
            yield folder


def credentials(home: Path, shown: Iterable[Path]) -> Iterator[Path]:
    """Yield the paths of credentials in a home that stay hidden in the shown folders; blocks."""
    yield from there_below(home, _CREDENTIALS)
    for folder in (home / name for name in _SETTINGS_FOLDERS):
        yield from (path for path in entries(folder) if not _is_harmless(path))
    for folder in shown:
        if within(folder, (home,)):
            suspected = (folder / name for name in names_in(folder) if _is_suspect(name))
            yield from filter(_is_secret_file, suspected)


def absolute(paths: Iterable[str]) -> Iterator[Path]:
    """Yield those of the paths that are absolute."""
    yield from (Path(os.path.normpath(path)) for path in paths if path.startswith("/"))


def _is_tool(folder: Path, homes: tuple[Path, ...]) -> bool:
    """Tell whether a folder of an environment variable can be shown: it holds no home.

    Nor is it a folder of the kernel, where a name such as ``/proc/1/cwd`` leads anywhere.
    """
    led = real(folder)
    if led is None or not is_folder(led):
        return False
    named = (folder, led)
    holds_home = any(home in named or within(home, named) for home in homes)
    return not holds_home and not any(within(path, _KERNEL) for path in named)


def _prefix(program: Path, homes: tuple[Path, ...]) -> Path:
    """Return the folder of a toolchain by its ``bin`` folder, or that one if more lies there."""
    above = program.parent
    if program.name not in _PROGRAMS or not _is_tool(above, homes):
        return program
    for home in homes:
        if within(above, (home,)):
            shared = {home / ".local", home / ".config", home / ".cache"}
            return program if above in shared else above
    own = len(above.parts) > 2 and any(there_below(above, _OF_PREFIX))
    return above if own else program


def _is_suspect(name: str) -> bool:
    return bool(_SECRET_FILE.search(name) or _SETTINGS_FILE.search(name))


def _is_secret_file(path: Path) -> bool:
    return not (is_program(path) if _SECRET_FILE.search(path.name) else _is_harmless(path))


def _is_harmless(path: Path) -> bool:
    """Tell whether a settings file can be shown: it holds no secret by name or by form."""
    if is_folder(path):
        return True
    text = text_of(path, _LONGEST_SETTINGS)
    return text is not None and not any(map(_is_secret_line, lines_of(text)))


def _is_secret_line(line: str) -> bool:
    name, _, value = line.partition("=")
    key = name.rpartition(":")[2].strip()
    return (
        holds_secret(line)
        or "extraheader" in key.casefold()
        or bool(value.strip() and has_secret_name(key.lstrip("_"), value.strip()))
    )
