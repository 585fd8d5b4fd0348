"""Cut: when new results are cut so that the model need not give its last answer."""

from dataclasses import replace

from context.stages.logs import lines, next_request, shell
from plimsoll.context.stages import cut

WINDOW = 16_384


def test_results_are_cut_from_the_mark_on_at_which_an_answer_would_be_the_last():
    request = next_request(shell(1, "make", lines("built", 600)), WINDOW)
    # As large as the request is, to a token.
    at_mark = replace(request, budget=replace(request.budget, force_final=request.tokens))
    below = replace(request, budget=replace(request.budget, force_final=request.tokens + 1))

    assert cut.before_last_answer(at_mark) is not None
    assert cut.before_last_answer(below) is None
