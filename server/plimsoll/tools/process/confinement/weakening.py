"""Tells whether commands are confined less than they were on this machine, and says so.

Law 6: never silently less. Where a sandbox has worked and does not now, or it cannot be told, each
command is asked about with the reason, and no answer covers the next one.
"""

import sys
from collections.abc import Mapping
from dataclasses import replace

from plimsoll.tools.process.confinement.base import Probed, Rung

_STRENGTH: Mapping[Rung, int] = {"bubblewrap": 2, "landlock": 1, "seatbelt": 1, "none": 0}
_RUNGS: Mapping[str, Rung] = {rung: rung for rung in _STRENGTH}


REMEDY = "To go on with less protection, write `/sandbox accept`."


def rung_of(found: Probed) -> Rung:
    """Return the kind of the sandbox that a probe has found."""
    return found.sandbox.rung if found.sandbox else "none"


def stronger(one: Rung, other: Rung | None) -> Rung:
    """Return the stronger of two kinds of sandboxes."""
    return one if other is None or _STRENGTH[one] >= _STRENGTH[other] else other


def compare_with_known(found: Probed, known: str | None) -> Probed:
    """Add to a probe's result why the sandbox is weaker than one that worked here before.

    ``known``: the name of the sandbox that worked; None: none has; any other text: the name is
    unreadable.
    """
    now, strongest = rung_of(found), "seatbelt" if sys.platform == "darwin" else "bubblewrap"
    before = None if known is None else _RUNGS.get(known)
    if known is None or now == strongest:
        return _explain_broken(found)
    if before is not None and _STRENGTH[now] >= _STRENGTH[before]:
        return _explain_broken(found)
    wanted = before or strongest
    worked = (
        f"The sandbox {before} worked on this machine before, and does not work now"
        if before
        else "Which sandbox worked on this machine cannot be read, and the strongest does not work"
    )
    why = next((one.why for one in found.unavailable if one.rung in (wanted, "none")), "")
    told = f"{worked}{', because ' if why else '.'}{why} {REMEDY}"
    return replace(found, less=told)


def _explain_broken(found: Probed) -> Probed:
    """Add to a probe's result why a sandbox could not be tried, and so may work or not."""
    broken = next((one for one in found.unavailable if one.broken), None)
    if broken is None or found.less is not None:
        return found
    named = "" if broken.rung == "none" else f" {broken.rung}"
    return replace(found, less=f"Whether the sandbox{named} works is not known. {broken.why}")
