"""Watches what is counted and read on the thread of the event loop."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from builders import words
from plimsoll.context.index import names
from plimsoll.context.view.ledger import Ledger
from plimsoll.tokens.counter import Counter


class LoopWatch:
    """Adds up the characters that each kind of work took on the loop's thread.

    `ledger` counts each text once, as those of models do.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.here = {"measure": 0, "names": 0}
        monkeypatch.setattr(names, "names_in", self._watched("names", names.names_in))
        measure = self._watched("measure", words)
        self.ledger = Ledger(Counter(name="words", basis="counted", measure=measure).count)

    def _watched(self, what: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def watching(*given: Any) -> Any:
            if threading.current_thread() is threading.main_thread():
                self.here[what] += len(given[-1])
            return work(*given)

        return watching
