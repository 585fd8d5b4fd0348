"""Finds the program that gives up the right to write elsewhere, and then becomes the command.

A mount that is read-only does not keep a program from writing to a pipe in it; Landlock does. But
no process with such rules may mount, so they come after bubblewrap: its supervisor makes them, and
an interpreter of the system that can make a call by its number puts them in force inside.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from plimsoll.tools.process.confinement.kernel.calls import architecture
from plimsoll.tools.process.confinement.kernel.namespace import RULES
from plimsoll.tools.process.confinement.kernel.rights import landlock_version

# Before, files cannot be moved between folders under such rules.
_SINCE_VERSION = 2
_PERL = (
    "syscall({number}, {rules}, 0) == 0 or die qq(Landlock: $!\\n); "
    'open(F, "<&={rules}"); close(F); exec {{ $ARGV[0] }} @ARGV; die qq($ARGV[0]: $!\\n)'
)
_PYTHON = (
    "import ctypes, os, sys; "
    "ctypes.CDLL(None).syscall({number}, {rules}, 0) == 0 or sys.exit('no Landlock'); "
    "os.close({rules}); os.execv(sys.argv[1], sys.argv[1:])"
)
# The first starts in 2 ms, the second in 12.
_INTERPRETERS: Mapping[str, tuple[tuple[str, ...], str, tuple[str, ...]]] = {
    "/usr/bin/perl": (("-e",), _PERL, ("--",)),
    "/usr/bin/python3": (("-I", "-S", "-c"), _PYTHON, ()),
}


def find_restrictor() -> tuple[str, ...]:
    """Return the restrictor's arguments, which precede a command's; None without one. Blocks."""
    return next(restrictors(), ())


def restrictors() -> Iterator[tuple[str, ...]]:
    """Yield all restrictors of this machine, the fastest first; blocks to look."""
    known = architecture()
    if known is None or landlock_version() < _SINCE_VERSION:
        return
    number = known.numbers["landlock_restrict_self"]
    for program, (options, code, end) in _INTERPRETERS.items():
        if Path(program).is_file() and os.access(program, os.X_OK):
            yield (program, *options, code.format(number=number, rules=RULES), *end)
