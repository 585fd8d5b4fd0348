"""The outlook: it never denies a prune that pays, and reads only what is new."""

from hypothesis import given, settings
from hypothesis import strategies as st

from builders import AT, edited, user
from context.stages.logs import call, next_request, shell
from examples import examples
from plimsoll.context.index.net_gain import (
    Horizon,
    Prices,
    PruneCandidate,
    PruneOutlook,
    PrunePoint,
    PruneQuestion,
    best_cut,
)
from plimsoll.context.log.entries import Cover, ItemState, Replace, Stage, Undone
from plimsoll.context.stages.pipeline import (
    CacheSettings,
    NextRequest,
    PipelineSettings,
    PruningSettings,
    newest_answer,
)
from plimsoll.context.stages.prune import can_any_pay, results_that_pay
from plimsoll.context.stages.visible_results import free_results, newest_results

ROOMY = 2_000_000
TOOLS = st.sampled_from(["shell", "file_read", "file_edit"])


@st.composite
def steps(draw):
    """Ways in which a log grows: results, texts, prunes, covers, and undoing them."""
    kinds = st.sampled_from(
        ["call", "call", "call", "call", "call", "say", "prune", "cover", "undo"]
    )
    return [
        (kind, draw(TOOLS), draw(st.sampled_from([1, 50, 400, 3_000])), draw(st.integers(0, 30)))
        for kind in draw(st.lists(kinds, min_size=4, max_size=30))
    ]


def entries_of(step, number):
    kind, tool, words, at = step
    match kind:
        case "call":
            return call(number, tool, {"n": number}, "word " * words)
        case "say":
            return [user(f"u{number}", "word " * words)]
        case "prune":
            op = Replace(f"r{at}.0", "[pruned]", ItemState.PRUNED)
            return [edited(f"e{number}", op, stage=Stage.PRUNE)]
        case "cover":
            groups = tuple(f"a{n}" for n in range(at))
            return [edited(f"e{number}", Cover(groups, "short"))]
        case _:
            return [Undone(f"x{number}", AT, f"e{at}")]


@settings(max_examples=examples(150))
@given(
    steps(),
    st.sampled_from([0.0, 0.1, 0.5]),
    st.integers(0, 3),
    st.sampled_from([1, 300, 3_000]),
    st.booleans(),
)
def test_what_pays_is_never_denied(log, read, keep, least, cold):
    """Against looking at every result, before each request of a log that grows."""
    pruning = PruningSettings(keep_results=keep)
    knobs = PipelineSettings(pruning=pruning, cache=CacheSettings(price_read=read))
    growing = next_request([], ROOMY, knobs)
    for number, step in enumerate(log):
        growing.fold.extend(entries_of(step, number))
        sent = -1 if cold else newest_answer(growing.fold)
        said = can_any_pay(growing, sent, least)
        assert said or not results_that_pay(growing, (), sent, least)
        anew = NextRequest(
            fold=next_request(growing.fold.entries[2:], ROOMY).fold,
            budget=growing.budget,
            settings=knobs,
        )
        assert can_any_pay(anew, sent, least) == said


@settings(max_examples=examples(300))
@given(
    st.lists(st.tuples(st.integers(0, 900), st.integers(1, 900)), min_size=1, max_size=25),
    st.floats(0.01, 3),
    st.integers(1, 2_000),
)
def test_where_every_result_may_go_it_knows_exactly(rows, saved, least):
    """Each row: tokens that stay and tokens that go, in a group of its own."""
    outlook, places, behind = PruneOutlook(), [], sum(map(sum, rows))
    for number, (stays, freed) in enumerate(rows):
        places.append(PrunePoint(behind - stays, freed, cached=True))
        behind -= stays + freed
        outlook.add_group(Row(number, stays, stays + freed), [PruneCandidate(str(number), freed)])
    asked = PruneQuestion(
        sent=len(rows), unseen=len(rows), kept=frozenset(), least=least, saved=saved, cost=1.0
    )
    always = Horizon(saved, room=10**9, pace=1.0)
    found = best_cut(places, always, Prices(1.0, 2.0), ratio=0.0, least=least)
    assert outlook.can_any_pay(asked) == (found is not None)


class Row:
    """A group of one line of so many tokens before its results."""

    def __init__(self, index, stays, tokens):
        self.index, self.tokens = index, tokens
        self.lines = (Stays(stays),)


class Stays:
    def __init__(self, tokens):
        self.tokens = tokens


def test_only_what_is_new_is_read():
    old = [said for n in range(200) for said in shell(n, "true", "word " * 100)]
    growing = next_request(old, ROOMY)
    assert not can_any_pay(growing, newest_answer(growing.fold), 10**9)
    groups = len(growing.fold.groups)
    assert growing.fold.outlook.known == groups
    growing.fold.extend(shell(900, "true", "word " * 100))
    _ = growing.fold.view
    assert growing.fold.outlook.known == groups
    growing.fold.append(edited("e1", Replace("r150.0", "[x]", ItemState.PRUNED), stage=Stage.PRUNE))
    _ = growing.fold.view
    assert growing.fold.outlook.known == 151
    assert not can_any_pay(growing, newest_answer(growing.fold), 10**9)
    assert growing.fold.outlook.known == len(growing.fold.groups)


def test_another_limit_of_names_weighs_the_notes_anew():
    text = " ".join(f"name_{n}" for n in range(500))
    entries = [said for n in range(9) for said in shell(n, "true", f"{text} {n}")]
    growing = next_request(entries, ROOMY)
    _ = growing.fold.view
    free = free_results(growing, newest_results(growing, 1))
    assert can_any_pay(growing, -1, len(free) * 100)
    none = PipelineSettings(pruning=PruningSettings(names_tokens=0))
    bare = NextRequest(fold=growing.fold, budget=growing.budget, settings=none)
    assert can_any_pay(bare, -1, sum(each.tokens for each in free) - 20 * len(free))
    assert not can_any_pay(growing, -1, sum(each.tokens for each in free) - 20 * len(free))
