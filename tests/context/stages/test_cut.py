"""Cut: when new results are cut so that the model need not give its last answer."""

from dataclasses import replace

import pytest

from builders import assistant, result
from context.stages.logs import lines, next_request, shell
from plimsoll.context.budget import budget_for
from plimsoll.context.stages import cut

WINDOW = 16_384


def test_results_are_cut_from_the_mark_on_at_which_an_answer_would_be_the_last():
    request = next_request(shell(1, "make", lines("built", 600)), WINDOW)
    # As large as the request is, to a token.
    at_mark = replace(request, budget=replace(request.budget, force_final=request.tokens))
    below = replace(request, budget=replace(request.budget, force_final=request.tokens + 1))

    assert cut.before_last_answer(at_mark) is not None
    assert cut.before_last_answer(below) is None


@pytest.mark.parametrize(("shares", "is_cut"), [(0.8, False), (2.0, True)])
def test_no_result_is_cut_below_its_fair_share_while_something_else_may_leave(shares, is_cut):
    rows = int(shares * budget_for(WINDOW).effective / cut.FAIR_SHARE / 5)
    made = [(f"c{n}", "shell", '{"command": "make"}') for n in range(4)]
    answers = [result(f"r{n}", "a1", f"c{n}", lines(f"w{n}.", rows), "shell") for n in range(4)]
    request = next_request([assistant("a1", "", *made), *answers], WINDOW)
    too_much = request.tokens - 400
    request = replace(request, budget=replace(request.budget, force_final=too_much))

    assert (cut.before_last_answer(request) is not None) is is_cut
