"""Applies rules to the process itself, which the program that it becomes cannot take off again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plimsoll.tools.process.confinement.kernel import linux
from plimsoll.tools.process.confinement.kernel.calls import C, check
from plimsoll.tools.process.confinement.kernel.filters import refuse_calls
from plimsoll.tools.process.confinement.kernel.rights import (
    LandlockRules,
    drop_capabilities,
    restrict,
)


def apply(rules: Mapping[str, Any]) -> None:
    """Apply all sandbox rules to this process.

    Raises:
        OSError: A rule cannot be applied; then the command must not be started.
    """
    if rules.get("harden"):
        _harden()
    landlock: Mapping[str, Any] | None = rules.get("landlock")
    if landlock is not None:
        drop_capabilities()
        readable, writable = tuple(landlock["readable"]), tuple(landlock["writable"])
        restrict(LandlockRules(readable=readable, writable=writable, network=landlock["network"]))
    if rules.get("harden"):
        refuse_calls(
            network=rules.get("network", True),
            unix_sockets=rules.get("unix_sockets", False),
            alone=landlock is None,
        )


def _harden() -> None:
    # When memory runs out, the kernel ends the command first.
    Path("/proc/self/oom_score_adj").write_text("1000", "ascii")
    check(C.prctl(linux.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
