"""Waits for work that a cancellation must not leave behind."""

import asyncio
from typing import Any


async def wait_through_cancel(work: asyncio.Future[Any]) -> bool:
    """Wait until some work is done, however often we are cancelled; tell whether we were.

    The caller sees to its own state, then raises the cancellation and asks for the work's error:
    one that nobody has asked for is logged.
    """
    cancelled = False
    while not work.done():
        try:
            await asyncio.wait([work])
        except asyncio.CancelledError:
            cancelled = True
    return cancelled
