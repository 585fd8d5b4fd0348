"""What a policy makes of a session: its price, what stays in view, the rules."""

import itertools

import pytest

from plimsoll.bench.comparison import Compared, largest_reductions, pool_scores
from plimsoll.bench.looking import READ, WRITE, Tally
from plimsoll.bench.measuring import INSTRUCTION, OUTPUT, filling, play
from plimsoll.bench.policies import NOTHING, Policy, policies_in
from plimsoll.bench.recording import recording
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.pipeline.settings import PipelineSettings
from plimsoll.context.view.ledger import Ledger
from plimsoll.session.transfer.incoming import Incoming, IncomingCall

WINDOW = 8_192
LEDGER = Ledger(lambda text: -(-len(text) // 4))


def said(role: Role, text: str, call: str | None = None, **more: object) -> Incoming:
    parts = (Part(kind=PartKind.TEXT, text=text),) if text else ()
    calls = (IncomingCall(call, "file_read", {"path": f"{call}.py"}),) if call else ()
    return Incoming(role=role, parts=parts, calls=calls, **more)


def session(steps: int) -> list[Incoming]:
    messages = [said(Role.USER, "Look through it. You must never touch setup.cfg!")]
    for number in range(steps):
        text = "\n".join(
            f"value_{number}_{line} = {line}  # of part {number}" for line in range(60)
        )
        messages.append(said(Role.ASSISTANT, "", call=f"c{number}"))
        messages.append(said(Role.TOOL, text, call_id=f"c{number}"))
    return [*messages, said(Role.ASSISTANT, "This is wrong:\nvalue_0_7 = 7  # of part 0")]


def policies() -> tuple[Policy, ...]:
    return policies_in(WINDOW, {"Plimsoll": PipelineSettings()})


def test_the_whole_context_is_read_from_the_cache_but_for_what_is_new():
    one = recording("s", session(3), LEDGER.bare)
    score = play(one, NOTHING, LEDGER, WINDOW)
    sizes = score.tokens
    new = [sizes[0], *(b - a for a, b in itertools.pairwise(sizes))]
    read = sum(sizes) - sum(new)
    assert score.cost == pytest.approx(READ * read + WRITE * sum(new))
    assert (score.requests, score.over, score.reductions) == (4, 0, [])


def test_what_left_is_missed_where_an_answer_uses_it():
    one = recording("s", session(30), LEDGER.bare)
    whole, cleared, _, _, own = (play(one, each, LEDGER, WINDOW) for each in policies())
    assert (whole.sight.lines, cleared.sight.lines) == (Tally(1, 1), Tally(1, 0))
    assert (whole.sight.late, cleared.sight.late) == (0, 1)
    assert (whole.whole_cost, whole.paid) == (whole.cost, whole.cost)
    assert cleared.whole_cost > cleared.paid
    assert whole.over > 0
    assert own.over == 0
    assert max(own.tokens) < max(whole.tokens)
    assert any(each.after < each.before for each in own.reductions)


def test_a_rule_counts_in_each_request_from_its_own_on():
    score = play(recording("s", session(3), LEDGER.bare), NOTHING, LEDGER, WINDOW)
    assert score.rules == Tally(4, 4)


def test_a_rule_that_another_replaced_counts_no_more_and_the_own_policy_keeps_what_holds():
    later = [said(Role.USER, "From now on you may touch setup.cfg. Never push to main!")]
    answers = [said(Role.ASSISTANT, f"Step {number}. " + "word " * 2_000) for number in range(9)]
    one = recording("s", [*session(3), *later, *answers], LEDGER.bare)
    score = play(one, policies()[-1], LEDGER, WINDOW)
    assert score.reductions
    assert score.rules.needed > 4
    assert score.rules.share == 100.0


def test_what_fills_a_session_is_told_by_tool_and_speaker():
    found = filling(session(2), LEDGER)
    assert next(iter(found)) == "results of file_read"
    assert set(found) == {
        *("results of file_read", "calls of tools"),
        *("what the person said", "what the model said"),
    }


def test_sessions_are_pooled_and_the_largest_reductions_come_first():
    one = recording("s", session(30), LEDGER.bare)
    scores = {each.name: play(one, each, LEDGER, WINDOW) for each in policies()}
    found = [Compared("a", scores, {}), Compared("b", scores, {})]
    own = list(pool_scores(found).values())[-1]
    assert own.requests == 2 * found[0].own.requests
    assert len(own.tokens) == own.requests
    left, more = largest_reductions(found, 2)
    freed = [each.before - each.after for _, each in left]
    assert freed[0] >= freed[1] > 0
    assert more == 2 * len(found[0].own.reductions) - 2


def test_a_summary_is_priced_by_what_it_reads_and_writes():
    one = recording("s", session(30), LEDGER.bare)
    summed = next(each for each in policies() if each.name == "keep results, summary")
    score = play(one, summed, LEDGER, WINDOW)
    covered = [each.before for each in score.reductions if each.stage == "digest"]
    assert score.summaries == len(covered) > 0
    assert score.paid == score.cost + score.summarising
    assert INSTRUCTION * len(covered) < score.summarising < sum(covered) + OUTPUT * WINDOW
