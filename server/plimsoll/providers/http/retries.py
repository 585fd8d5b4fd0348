"""When a request is tried again, and after what wait. Pure."""

from collections.abc import Callable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and after what wait a request is sent again, before an answer's first byte."""

    tries: int = 5
    connect_tries: int = 2
    """If nothing listens or the name is unknown: a restart at most, seldom a hiccup."""
    first_wait: float = 0.5
    """Seconds; doubled with each attempt."""
    longest_wait: float = 60.0
    """Seconds; a provider that asks for more gets an error instead."""
    start_wait: float = 15.0
    """Seconds in all in which a local server may start to listen."""
    start_step: float = 0.5
    """Seconds between two attempts to reach a starting server."""


def retry_wait(policy: RetryPolicy, tried: int, asked: float | None, chance: float) -> float | None:
    """Return the seconds to wait after this many attempts, or None to give up.

    ``asked`` is the provider's Retry-After, kept within +10 %; without one, or if it is 0, as a
    reset by a wrong clock is, the wait is between half and all of the doubled step. ``chance`` is a
    number from 0 to 1.
    """
    if tried >= policy.tries or (asked is not None and asked > policy.longest_wait):
        return None
    if asked:
        return asked * (1 + 0.1 * chance)
    step = min(policy.first_wait * 2 ** (tried - 1), policy.longest_wait)
    return step * (0.5 + 0.5 * chance)


class Tries:
    """The attempts of one request, whatever fails: a connection, a refusal, a stream."""

    def __init__(self, policy: RetryPolicy, chance: Callable[[], float]) -> None:
        self._policy = policy
        self._chance = chance
        self.made = 0
        self.started = 0.0
        """Seconds given to a server to start, not counted as attempts."""

    def wait(self, tries: int, asked: float | None) -> float | None:
        """Count one of ``tries`` attempts; return the seconds until the next, or None."""
        self.made += 1
        policy = replace(self._policy, tries=min(self._policy.tries, tries))
        return retry_wait(policy, self.made, asked, self._chance())
