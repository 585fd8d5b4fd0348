"""The program that is a supervisor: ``python -I -S program.py RULES PROGRAM ARGUMENT…``.

No package is on its path. Those above are stood in for by empty ones, since to import them takes
longer than most commands, and needs what is not here.
"""

import sys
from pathlib import Path
from types import ModuleType

_ABOVE = ("plimsoll", "plimsoll.tools", "plimsoll.tools.process")


def main() -> None:
    """Make the modules importable, and supervise."""
    folders = reversed(Path(__file__).resolve().parents[1 : 1 + len(_ABOVE)])
    for name, folder in zip(_ABOVE, folders, strict=True):
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    from plimsoll.tools.process.supervision import supervisor

    supervisor.main()


if __name__ == "__main__":
    main()
