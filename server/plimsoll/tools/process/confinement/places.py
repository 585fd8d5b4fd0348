"""Says which folders of a machine a confined command sees, and which it does not.

The home folder is empty but for tools: what is not listed is not visible, so a credential that
nobody thought of is not either.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.redaction.variables import has_secret_name, holds_secret
from plimsoll.tools.process.confinement.base import Access
from plimsoll.tools.process.confinement.seen.home import account_homes
from plimsoll.tools.process.confinement.seen.looks import (
    entries,
    is_folder,
    is_link,
    is_there,
    real,
    text_of,
)

LIBRARIES = tuple(
    Path(path)
    for path in (
        *("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/nix/store", "/gnu/store"),
        *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"),
    )
)
"""What programs of the system are made of; nobody's data."""
TEMPORARY = (Path("/", "tmp"), Path("/", "var", "tmp"))
# Sockets of services and of the desktop, mounts of people, homes of others.
_ELSEWHERE = ("/run", "/var/run", "/home", "/root", "/media", "/mnt")
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
_UNREADABLE = ("/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/ssl/private")
_RESOLVER = Path("/etc/resolv.conf")
# To hide one of these hides what every command needs.
_NEEDED = tuple(map(Path, ("/usr", "/bin", "/lib", "/etc", "/dev", "/proc", "/sys")))
_KERNEL = tuple(map(Path, ("/proc", "/sys", "/dev")))
_PROGRAMS = frozenset({"bin", "sbin", "shims"})
_LONGEST_SETTINGS = 100_000
_SETTINGS_FOLDERS = (".config/git", ".config/pip")
_MOST_PROGRAM_FOLDERS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """What a command sees of a machine besides its workspace; real paths unless said."""

    hidden: tuple[Path, ...]
    """Folders that it finds empty, the outermost first."""
    shown: tuple[Path, ...]
    """What it sees of them all the same, as they are named there: a part may be a link."""
    masked: tuple[Path, ...]
    """Files and folders inside what it sees, that it finds empty."""


def places(access: Access, environment: Mapping[str, str]) -> Places:
    """Say what a command sees; blocks to look.

    Raises:
        ToolFailed: The workspace holds the home folder, so the one cannot be shown without the
            other.
    """
    root, home = access.root, access.home
    for own in {home, *account_homes()}:
        if own == root or root in own.parents:
            raise ToolFailed(
                f"No command can be confined to {root}: your home folder lies in it, with your "
                "credentials. Open a folder inside of it."
            )
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    named = (*map(Path, _ELSEWHERE), *TEMPORARY, home, *access.hidden, *_runtime(runtime, root))
    hidden = tuple(path for path in _sorted(named) if path != root and _is_own_folder(path))
    shown = tuple(path for path in _sorted(_shown(access, environment)) if within(path, hidden))
    masks = (*(home / name for name in _CREDENTIALS), *map(Path, _UNREADABLE))
    masked = tuple(path for path in masks if os.access(path, os.R_OK) and not is_link(path))
    settings = (home / name for name in _SETTINGS_FOLDERS)
    masked += tuple(path for folder in settings for path in _secret_settings(folder))
    return Places(hidden=hidden, shown=shown, masked=tuple(dict.fromkeys(masked)))


def _runtime(named: str, root: Path) -> Iterator[Path]:
    """Yield the folder for sockets of the person, unless it is one that a command needs."""
    for path in _absolute([named]):
        led = real(path)
        if led and not any(led in (needed, *needed.parents) for needed in (root, *_NEEDED)):
            yield path


def _shown(access: Access, environment: Mapping[str, str]) -> Iterator[Path]:
    home = access.home
    yield from (home / name for name in _TOOLCHAINS if is_there(home / name))
    yield from (path for path in (home / name for name in _SETTINGS) if _is_harmless(path))
    yield from (path for path in entries(home) if is_there(path / "pyvenv.cfg"))
    named = dict.fromkeys(environment.get("PATH", "").split(os.pathsep))
    for program in _absolute(islice(named, _MOST_PROGRAM_FOLDERS)):
        if _is_tool(program, home) and access.root not in (program, *program.parents):
            yield _prefix(program, home)
    if access.network and (resolver := real(_RESOLVER)) and is_there(resolver):
        yield resolver
    for folder in _absolute(environment.get(name, "") for name in _NAMING):
        if _is_tool(folder, home):
            yield folder


def _is_tool(folder: Path, home: Path) -> bool:
    """Tell whether a folder that the environment names can be shown: it holds no home.

    Nor is it one of the kernel's, where a name such as ``/proc/1/cwd`` leads anywhere.
    """
    led = real(folder)
    if led is None or within(folder, _KERNEL) or within(led, _KERNEL):
        return False
    held = {path for own in (home, *account_homes()) for path in (own, *own.parents)}
    return is_folder(folder) and not {folder, led} & held


def _prefix(program: Path, home: Path) -> Path:
    """Return the folder of a toolchain by its folder of programs, where that is all it holds."""
    above = program.parent
    shared = {home, home / ".local", home / ".config", home / ".cache", *home.parents}
    alone = program.name in _PROGRAMS and above not in shared and home in above.parents
    return above if alone else program


def _is_harmless(path: Path) -> bool:
    """Tell whether settings can be shown: they hold no secret by name or by form."""
    if is_folder(path):
        return True
    text = text_of(path, _LONGEST_SETTINGS)
    return text is not None and not any(map(_is_secret_line, text.splitlines()))


def _is_secret_line(line: str) -> bool:
    name, _, value = line.partition("=")
    key = name.rpartition(":")[2].strip()
    return (
        holds_secret(line)
        or "extraheader" in key.casefold()
        or bool(value.strip() and has_secret_name(key.lstrip("_"), value.strip()))
    )


def _secret_settings(folder: Path) -> Iterator[Path]:
    yield from (path for path in entries(folder) if not _is_harmless(path) and not is_link(path))


def _absolute(paths: Iterable[str]) -> Iterator[Path]:
    yield from (Path(os.path.normpath(path)) for path in paths if path.startswith("/"))


def within(path: Path, folders: Iterable[Path]) -> bool:
    """Tell whether a path lies in one of these folders, and is none of them."""
    return any(folder in path.parents for folder in folders)


def _sorted(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(sorted(set(paths), key=lambda path: (len(path.parts), path)))


def _is_own_folder(path: Path) -> bool:
    return is_folder(path) and not is_link(path)
