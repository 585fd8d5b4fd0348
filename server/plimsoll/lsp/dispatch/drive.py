"""Runs any kind of pygls handler to its end inside the caller's task.

Stock pygls gives every step a future of its own, which a cancel does not reach and nothing ever
forgets. Here the request's task is the handler.
"""

import inspect
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import cast

Step = tuple[Callable[..., object], Sequence[object] | None, Mapping[str, object] | None]


async def drive(handler: Callable[..., object], *args: object, **kwargs: object) -> object:
    """Call a function, a coroutine function or one of pygls' generators, and return its result."""
    outcome = handler(*args, **kwargs)
    if inspect.isgenerator(outcome):
        return await _steps(cast("Generator[Step, object, object]", outcome))
    if inspect.isawaitable(outcome):
        return cast("object", await outcome)
    return outcome


async def _steps(steps: Generator[Step, object, object]) -> object:
    answer: object = None
    while True:
        try:
            handler, args, kwargs = steps.send(answer)
        except StopIteration as stop:
            return cast("object", stop.value)
        answer = await drive(handler, *(args or ()), **(kwargs or {}))
