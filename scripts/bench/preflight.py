"""The pre-flight of a session of 1,000,000 tokens, against writing its request as JSON once.

Three states: nothing is to be done; the same with one more message; everything is to be done, in
a window that is far too small. The names and references in the text are learned as it is said,
which is timed by itself.
"""

import json
import time
from collections.abc import Callable

from common import AT, best_of, messages, table

from plimsoll.context.budget import budget_for
from plimsoll.context.draft import CacheSettings, Draft, Knobs
from plimsoll.context.entries import Said
from plimsoll.context.fold import Fold
from plimsoll.context.ledger import Ledger
from plimsoll.context.messages import Kind, Part, Role
from plimsoll.providers.openai_wire import request_body
from plimsoll.session.preflight import preflight
from plimsoll.session.request import request_for
from plimsoll.tokens.registry import Counters

RUNS = 5
MESSAGES, WORDS = 4_000, 700
ROOMY, TIGHT = 2_000_000, 200_000


def main() -> None:
    ledger = Ledger(Counters().of("gpt-4o").count)
    said = list(messages(MESSAGES, WORDS))
    fold = Fold(ledger, said)
    body = json.loads(request_body(request_for(fold, budget_for(ROOMY), "bench")))
    yardstick = best_of(RUNS, lambda: json.dumps(body))
    print(f"{len(said):,} messages, {fold.view.tokens:,} tokens; the counts are known\n")
    rows = [
        ("json.dumps of the request", yardstick),
        ("the first look at all names and references", once(lambda: learn(fold))),
        ("nothing is to be done", best_of(RUNS, lambda: idle(fold))),
        ("one more message, nothing is to be done", best_of(RUNS, lambda: grown(fold))),
        ("everything is to be done", min(pressed(said, ledger) for _ in range(3))),
    ]
    cells = [[name, f"{took:.1f} ms", f"{took / yardstick:.2f} x"] for name, took in rows]
    table(["pre-flight", "best", "of json.dumps"], cells)


def once(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


def learn(fold: Fold) -> None:
    fold.references.counts()
    _ = fold.standing_names


def idle(fold: Fold) -> None:
    """The gain is weighed in full, but with reading for free no prune pays."""
    free = Knobs(cache=CacheSettings(price_read=0))
    assert not preflight(Draft(fold, budget_for(ROOMY), free)).proposals


def grown(fold: Fold) -> None:
    name = f"more{len(fold.entries)}"
    fold.append(Said(name, AT, Role.USER, name, (Part(Kind.TEXT, "One more question."),)))
    idle(fold)


def pressed(said: list[Said], ledger: Ledger) -> float:
    """Milliseconds of a pre-flight that has to free four fifths; what was said is known."""
    fold = Fold(ledger, said)
    _ = fold.view
    learn(fold)
    draft = Draft(fold, budget_for(TIGHT), Knobs())
    begun = time.perf_counter()
    reduced = preflight(draft)
    took = (time.perf_counter() - begun) * 1000
    assert reduced.proposals
    assert not reduced.missing
    return took


if __name__ == "__main__":
    main()
