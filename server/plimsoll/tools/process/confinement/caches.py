"""Says by which environment variables tools keep their caches where a confined command may write.

A tool that finds packages in the home folder goes on reading them there, until the folder of its
own has some: what was downloaded once is not downloaded again.
"""

from collections.abc import Iterator
from pathlib import Path

from plimsoll.tools.process.confinement.seen.looks import is_there

_FOLDERS = {
    "XDG_CACHE_HOME": "xdg",
    "PIP_CACHE_DIR": "pip",
    "UV_CACHE_DIR": "uv",
    "npm_config_cache": "npm",
    "YARN_CACHE_FOLDER": "yarn",
    "GOCACHE": "go-build",
    "CCACHE_DIR": "ccache",
    "SCCACHE_DIR": "sccache",
    "NUGET_HTTP_CACHE_PATH": "nuget",
}
# Each with what shows that packages are there, and where they are in the home folder.
_PACKAGES = (
    ("CARGO_HOME", "cargo", "registry", ".cargo"),
    ("GOMODCACHE", "go-mod", "cache", "go/pkg/mod"),
    ("GRADLE_USER_HOME", "gradle", "caches", ".gradle"),
)


def cache_variables(caches: Path, home: Path, *, network: bool) -> Iterator[tuple[str, str]]:
    """Yield variables that set the cache folders of tools, with their values; blocks to look."""
    for name, folder in _FOLDERS.items():
        yield name, str(caches / folder)
    for name, folder, sign, usual in _PACKAGES:
        own, there = is_there(caches / folder / sign), is_there(home / usual / sign)
        if network or own or not there:
            yield name, str(caches / folder)
