"""Secrets in places of a machine that nobody lists: of the system, of the person, of others."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

CANARY = '[registry]\ntoken = "CANARY-0123456789abcdef0123456789"\n'
# By the name of the way: where it lies, and its mode.
_SYSTEM = {
    "etc_key": ("/etc/{}/ssh_host_key", 0o600),
    "etc_of_a_group": ("/etc/{}/shadow", 0o640),
    "etc_below_a_closed_folder": ("/etc/{}/private/key.pem", 0o644),
    "local_settings": ("/usr/local/{}/service.conf", 0o600),
    "local_program": ("/usr/local/{}/backup.sh", 0o700),
    "optional_environment": ("/opt/{}/app.env", 0o600),
    "backup": ("/var/backups/{}/passwd.bak", 0o644),
    "mail": ("/var/mail/{}/person", 0o644),
    "timetable": ("/var/spool/{}/crontab", 0o644),
    "containers": ("/var/lib/{}/overlay2/config.json", 0o644),
    "database": ("/var/lib/{}/base.db", 0o600),
    "log": ("/var/log/{}/auth.log", 0o644),
    "core_dump": ("/var/{}/core", 0o644),
    "cloud": ("/run/{}/instance-data.json", 0o644),
    "service": ("/srv/{}/.env", 0o644),
    "boot": ("/boot/{}/crypto_keyfile.bin", 0o644),
    "mount": ("/mnt/{}/key", 0o644),
    "medium": ("/media/{}/key", 0o644),
    "folder_at_the_root": ("/{}/data.sql", 0o644),
    "home_of_another": ("/home/{}/.ssh/id_ed25519", 0o644),
    "temporary_key": ("/tmp/{}/key", 0o600),
    "temporary_swap": ("/var/tmp/{}/.notes.swp", 0o600),
}
_HOME = {
    "shell_history": ".bash_history",
    "editor_of_another_swap": ".notes.txt.swp",
    "browser": ".config/chromium/Default/Cookies",
    "mail_client": ".thunderbird/a/key4.db",
    "vault": ".vault-token",
    "editor_state": ".config/Code/User/globalStorage/state.vscdb",
    "home_core": "core.1234",
    "cargo_settings": ".cargo/config.toml",
    "uv_login": ".local/share/uv/credentials/credentials.toml",
    "gem_login": ".local/share/gem/credentials",
    "pub_login": ".pub-cache/credentials.json",
    "dotnet_keys": ".dotnet/corefx/cryptography/x509stores/my/a.pfx",
    "git_login": ".config/git/credentials",
    "git_header": ".config/git/work.config",
    "julia_history": ".julia/logs/repl_history.jl",
    "npm_log": ".npm/_logs/debug.log",
    "tool_settings": ".nvm/.npmrc",
    "tool_key": ".pyenv/signing.key",
}
_OUTSIDE = {"own_file": ("own.env", 0o600), "own_program": ("own.sh", 0o700)}
LANDLOCK = {f"secret_{name}" for name in ("temporary_key", "temporary_swap")}
"""What Landlock cannot close, as its words say: temporary folders are open to it."""


def lay_out(home: Path, outside: Path, user: int, ends: ExitStack) -> dict[str, str]:
    """Make the secrets, all of them this user's; return where each is, by its name."""
    made = {name: home / path for name, path in _HOME.items()}
    for path in made.values():
        _write(path, 0o644)
    for name, (path, mode) in _OUTSIDE.items():
        made[name] = outside / path
        _write(made[name], mode)
    if os.geteuid() == 0:
        made |= _of_the_system(f"plimsoll-{outside.parent.name}", user, ends)
    return {f"{name}": str(path) for name, path in made.items()}


def _of_the_system(name: str, user: int, ends: ExitStack) -> dict[str, Path]:
    made: dict[str, Path] = {}
    for way, (text, mode) in _SYSTEM.items():
        path = Path(text.format(name))
        own = Path(text.partition("{}")[0]) / name
        if not own.parent.is_dir():
            continue
        made[way] = path
        ends.callback(shutil.rmtree, own, ignore_errors=True)
        _write(path, mode)
        for each in _below(own):
            os.chown(each, user, user)
    if "etc_below_a_closed_folder" in made:
        made["etc_below_a_closed_folder"].parent.chmod(0o700)
    return made


def _write(path: Path, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(CANARY)
    path.chmod(mode)


def _below(folder: Path) -> Iterator[Path]:
    yield folder
    yield from folder.rglob("*")
