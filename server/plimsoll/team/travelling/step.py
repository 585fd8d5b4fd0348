"""The step of an exchange with a team's server that lets sessions travel."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from plimsoll.team.exchange import Exchanged, ExchangeEnds
from plimsoll.team.travelling.sending import SessionSending


@dataclass(frozen=True, slots=True)
class SessionsStep:
    """Sends the sessions of a folder and keeps their leases, where the person wants that."""

    sending: SessionSending

    async def __call__(self, ends: ExchangeEnds) -> AsyncIterator[Exchanged]:
        """Do the step; a role that may only read sends nothing."""
        if self.sending.is_on() and ends.membership.rights != "read":
            await self.sending.run(ends.server)
            yield Exchanged()
