"""The port to whoever writes a summary ahead of the compact mark."""

from typing import Protocol

from plimsoll.context.pipeline.written import WrittenSummary


class WritesAhead(Protocol):
    """Writes the summary of the old part while a turn goes on."""

    @property
    def ready(self) -> WrittenSummary | None:
        """The written summary that can replace the old part; None if there is none."""
        ...

    def begin(self, *, waiting: bool) -> None:
        """Begin a summary if it is due; ``waiting``: the turn waits for a tool or a person."""
        ...

    async def make_way(self) -> None:
        """Give up a summary that would delay the turn's own request, which is due now."""
        ...

    async def give_up(self) -> None:
        """Stop writing; once this returns, no model is asked any more."""
        ...

    async def settle(self) -> None:
        """Wait for the summary being written; update one that is ready."""
        ...


class NothingAhead:
    """No summary is written ahead: the digest serves."""

    ready = None

    def begin(self, *, waiting: bool) -> None:
        """Do nothing."""

    async def make_way(self) -> None:
        """Do nothing."""

    async def give_up(self) -> None:
        """Do nothing."""

    async def settle(self) -> None:
        """Do nothing."""
