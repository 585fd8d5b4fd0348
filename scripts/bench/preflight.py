"""The pre-flight of a long session, against writing its request as JSON once.

Everything is to be done: a session in a window that is far too small. Nothing is to be done: the
same once it is done, with one more message before each look, and a session that only grows. What
was said is known: its names and references are learned as it is said, which is timed by itself.
"""

import json
import time
from collections.abc import Callable, Sequence
from statistics import median

from common import AT, messages, table

from plimsoll.context.budget import budget_for
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.pipeline.proposal import NextRequest, as_edit
from plimsoll.context.pipeline.reduction import ReductionPlan
from plimsoll.context.pipeline.settings import CacheSettings, PipelineSettings
from plimsoll.context.stages.preflight import preflight
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.ledger import Ledger
from plimsoll.providers.openai import request_body
from plimsoll.session.asking.request import request_for
from plimsoll.tokens.counter import Counters

RUNS = 7
MESSAGES, WORDS = 4_000, 700
LENGTHS = (1_000, 2_000, 4_000, 8_000)
"""Messages of the sessions in which nothing is to be done."""
ROOMY, TIGHT = 4_000_000, 200_000
HEAD = ["pre-flight", "tokens", "median", "of json.dumps"]


def main() -> None:
    ledger = Ledger(Counters().of("gpt-4o").count)
    said = list(messages(MESSAGES, WORDS))
    print(f"processor time, medians of {RUNS}; each beside json.dumps of its request\n")
    rows = [first_look(said, ledger), everything(said, ledger), afterwards(said, ledger)]
    rows += [nothing(list(messages(count, WORDS)), ledger) for count in LENGTHS]
    table(HEAD, rows)


def first_look(said: Sequence[Said], ledger: Ledger) -> list[str]:
    """Names and references of a session that was only just opened."""
    fold = Fold(ledger, said)
    # Counted and shown already, as any session is before its pre-flight.
    _ = fold.view
    indexes = Indexes(fold)
    name = "the first look at names and references"
    return row(name, fold, [timed(lambda: read_indexes(indexes))])


def everything(said: Sequence[Said], ledger: Ledger) -> list[str]:
    """Four fifths have to go: a prune of all old results, and a digest."""
    fold = Fold(ledger, said)
    indexes = Indexes(fold)
    read_indexes(indexes)
    next_request = NextRequest(
        indexes=indexes, budget=budget_for(TIGHT), settings=PipelineSettings()
    )
    assert len(preflight(next_request).proposals) > 1
    return row(
        "everything is to be done", fold, [timed(lambda: preflight(next_request)) for _ in runs()]
    )


def afterwards(said: Sequence[Said], ledger: Ledger) -> list[str]:
    """One more message, once all is done."""
    fold = Fold(ledger, said)
    next_request = NextRequest(
        indexes=Indexes(fold), budget=budget_for(TIGHT), settings=PipelineSettings()
    )
    for number, proposal in enumerate(preflight(next_request).proposals):
        fold.append(as_edit(proposal, f"e{number}", AT))
    _ = preflight(next_request)
    return row("nothing is to be done, after it", fold, [grown(next_request) for _ in runs()])


def nothing(said: Sequence[Said], ledger: Ledger) -> list[str]:
    """One more message while nothing was ever reduced: reading is so cheap that no prune pays."""
    fold = Fold(ledger, said)
    next_request = NextRequest(
        indexes=Indexes(fold),
        budget=budget_for(ROOMY),
        settings=PipelineSettings(cache=CacheSettings(price_read=0.0001)),
    )
    _ = preflight(next_request)
    return row("nothing is to be done, all stands", fold, [grown(next_request) for _ in runs()])


def runs() -> range:
    return range(RUNS)


def row(name: str, fold: Fold, took: Sequence[float]) -> list[str]:
    """The median in milliseconds, and as a multiple of writing the request as JSON."""
    body = request_body(request_for(fold, budget_for(ROOMY), "bench"))
    yardstick = median(timed(lambda: json.dumps(body)) for _ in runs())
    middle = median(took)
    return [name, f"{fold.view.tokens:,}", f"{middle:.2f} ms", f"{middle / yardstick:.2f} x"]


def timed(work: Callable[[], object]) -> float:
    """Milliseconds of processor time."""
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1000


def read_indexes(indexes: Indexes) -> None:
    indexes.references.counts()
    indexes.name_counts_in_view()


def grown(next_request: NextRequest) -> float:
    """A pre-flight that finds nothing, after one more message."""
    fold = next_request.fold
    name = f"more{len(fold.entries)}"
    fold.append(
        Said(
            id=name,
            at=AT,
            role=Role.USER,
            group=name,
            parts=(Part(kind=PartKind.TEXT, text="One more question."),),
        )
    )
    found: list[ReductionPlan] = []
    took = timed(lambda: found.append(preflight(next_request)))
    assert not found[0].proposals
    return took


if __name__ == "__main__":
    main()
