"""A piece of the bench `steady`: a copy is the session with other words, and still one session."""

import importlib.util
import sys
from pathlib import Path

import pytest

from plimsoll.context.view.ledger import Ledger
from recordings.beside import OWN_SESSIONS

BENCH = Path(__file__).parents[2] / "scripts" / "bench"


@pytest.fixture(name="steady", scope="module")
def _steady():
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(BENCH))
        spec = importlib.util.spec_from_file_location("bench_of_steadiness", BENCH / "steady.py")
        module = importlib.util.module_from_spec(spec)
        patched.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
        yield module


@pytest.fixture(name="session", scope="module")
def _session(steady):
    return steady.load(OWN_SESSIONS / "scripted-reading.jsonl")


def outline(messages) -> list[tuple]:
    return [
        (message.role, message.name, [call.name for call in message.calls]) for message in messages
    ]


def results(messages) -> list[str]:
    return [message.parts[0].text for message in messages if message.call_id]


def test_a_copy_has_other_words_and_the_same_shape(steady, session):
    copy = steady.perturbed(session, 3)

    assert steady.perturbed(session, 0) == session
    assert copy == steady.perturbed(session, 3)
    assert copy != steady.perturbed(session, 4)
    assert results(copy) != results(session)
    assert outline(copy) == outline(session)
    asked = [call.id for message in copy for call in message.calls]
    assert [message.call_id for message in copy if message.call_id] == asked


def test_what_was_the_same_twice_still_is(steady, session):
    before, after = results(session), results(steady.perturbed(session, 5))

    pairs = [(m, n) for m in range(len(before)) for n in range(m)]
    assert [before[m] == before[n] for m, n in pairs] == [after[m] == after[n] for m, n in pairs]


def test_so_much_of_the_text_is_another_one(steady):
    found = [f"word{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(600)] + ["often"] * 9
    chosen = steady.other_words(steady.random.Random(1), " ".join(found))

    share = sum(word in chosen for word in found) / len(found)
    assert steady.CHANGED <= share < steady.CHANGED + 2 / len(found)
    assert not set(chosen.values()) & set(found)
    assert "often" not in chosen


def test_a_spread_over_what_is_asked_is_said(steady):
    kept, missed = steady.Spread([1.0, 1.01]), steady.Spread([1.0, 1.1, 1.0])

    assert (round(kept.percent, 1), round(missed.percent, 1)) == (1.0, 10.0)
    assert steady.row("day", 4_000, kept, kept, kept)[-1] == "kept"
    assert steady.row("day", 4_000, missed, kept, kept)[-1] == "MISSED"


def test_the_session_itself_costs_the_same_by_its_own_steps(steady, session):
    """Then what a copy costs beside that is what its own steps make of it."""
    changes = [steady.perturbation(session, number) for number in (0, 3)]
    copies = [steady.bare(tuple(map(change.message, session))) for change in changes]
    ledger = Ledger(len)
    own = steady.scores(copies, steady.default(16_384), ledger)
    same = steady.same_steps(copies, changes, 16_384, ledger)

    assert own[0].reductions
    assert own[0].cost == same[0].cost
    assert len(same[1].reductions) == len(own[0].reductions)
