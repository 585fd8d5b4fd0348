"""The program of the fork server: ``python -I -S program.py``, its connection as standard input.

No package is on its path. Those above are stood in for by empty ones, since to import them takes
long, and needs what is not here.
"""

import sys
from pathlib import Path
from types import ModuleType

_ABOVE = ("plimsoll", "plimsoll.tools", "plimsoll.tools.process")


def main() -> None:
    """Make the modules importable, and run the fork server."""
    folders = reversed(Path(__file__).resolve().parents[1 : 1 + len(_ABOVE)])
    for name, folder in zip(_ABOVE, folders, strict=True):
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    from plimsoll.tools.process.supervision import forking

    forking.serve()


if __name__ == "__main__":
    main()
