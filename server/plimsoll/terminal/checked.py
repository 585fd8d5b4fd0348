"""Writes for people what a server offers, and what the test of a model showed."""

from collections.abc import Iterator

from plimsoll.model_servers import ModelCheck, OfferedModel
from plimsoll.terminal.report import short


def offered_label(model: OfferedModel) -> str:
    """Describe a model in a line: its name, and the window it has there."""
    if model.window is None:
        return f"{model.name}  window not known"
    said = "as it is served" if model.source == "server" else "as it is known"
    return f"{model.name}  {short(model.window)} tokens {said}"


def check_facts(check: ModelCheck) -> Iterator[tuple[str, bool, str]]:
    """List the findings of a model's test: its name, whether it passed, and the details."""
    if check.error is not None:
        return
    seconds = check.first_token_seconds
    yield (
        "first token",
        seconds is not None,
        "nothing was answered" if seconds is None else f"after {seconds:.1f} s",
    )
    yield (
        "streaming",
        check.pieces > 1,
        f"{check.pieces} pieces" if check.pieces > 1 else "the answer came in one piece, or none",
    )
    called = "the tool that was offered was called"
    not_called = "the tool that was offered was not called: the model may not know tools"
    yield "tools", check.called, called if check.called else not_called
    usage = check.usage
    if usage is None:
        yield "usage", False, "not reported: tokens are counted here"
        return
    yield "usage", True, f"{usage.input:,} tokens in, {usage.output:,} out"
    yield "cache", True, f"{usage.cached:,} tokens read, {usage.written.total:,} written"


def check_lines(check: ModelCheck) -> Iterator[tuple[str, str]]:
    """Write the findings of a model's test as lines with their styles."""
    for name, good, seen in check_facts(check):
        yield f"  {name}: {seen}", "" if good else "yellow"
