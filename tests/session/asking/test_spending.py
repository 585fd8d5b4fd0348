"""Limits of spending: a person is asked before one is passed, and no means stop."""

import pytest

from plimsoll.context.log.entries import Noted
from plimsoll.errors import SpendLimitReached
from plimsoll.providers.base import Usage
from plimsoll.session.asking.spending import may_spend, refuse_spent, shown_amount, spending_unasked
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.events import CallChanged, NoticeGiven
from plimsoll.session.ports.prices import Tokens
from plimsoll.session.ports.rules import SessionRules, SpendLimit
from plimsoll.session.state.account import missed_money
from plimsoll.session.state.cost import usage_note
from session.harness import ALLOWED, harness

GLOB = {"name": "glob", "arguments": {"pattern": "*.txt"}}
NO = Decision(allowed=False)
ALWAYS = Decision(allowed=True, for_session=True)


def steps(count: int, **usage: int) -> list[dict]:
    """Answers with a call, each of the same usage, and a last one without."""
    used = {"input": 400, "output": 100, **usage}
    return [*[{"calls": [GLOB], "usage": used}] * count, {"text": "Done.", "usage": used}]


def turn_limit(most: float, unit: str = "tokens") -> SessionRules:
    return SessionRules(spending=(SpendLimit("turn", unit, most),))


def session_limit(most: float, unit: str = "tokens") -> SessionRules:
    return SessionRules(spending=(SpendLimit("session", unit, most),))


def notices(own) -> list[str]:
    return [event.markdown for event in own.heard(NoticeGiven)]


async def test_a_turn_asks_before_its_limit_and_a_no_stops_it(tmp_path):
    async with harness(tmp_path, *steps(9), allowed=turn_limit(2_700), answers=[NO]) as own:
        ended = await own.turn("Look.")
        assert (ended.reason, ended.error) == ("spendLimit", None)
        # The next request carries some 900 words, and may carry 1,200 once there are more tools:
        # it would pass the limit after the fourth answer.
        assert len(own.provider.requests) == 4
        (call,) = own.person.asked
        assert (call.spend.scope, call.spend.limit, call.spend.spent) == ("turn", 2_700, 2_000)
        assert call.spend.spent + call.spend.next > 2_700
        assert "2,700 tokens in this turn: 2,000 tokens are spent" in call.title
        assert own.heard(CallChanged)[-1].status == "rejected"
        (notice,) = notices(own)
        assert "`turn.spend_limit_tokens`" in notice
        assert "Send a message" in notice
        await own.consistent()
        # Each turn has a limit of its own.
        await own.turn("Go on.")
        assert len(own.provider.requests) > 4


async def test_a_yes_is_good_for_as_much_again_and_one_for_the_session_for_all(tmp_path):
    answers = [ALLOWED, ALWAYS]
    async with harness(
        tmp_path, *steps(12), *steps(12), allowed=turn_limit(2_600), answers=answers
    ) as own:
        assert (await own.turn("Look.")).reason == "endTurn"
        assert [call.spend.spent for call in own.person.asked] == [2_000, 4_500]
        assert (await own.turn("Look again.")).reason == "endTurn"
        assert len(own.person.asked) == 2


async def test_a_session_that_has_spent_its_limit_takes_no_prompt_and_says_what_to_do(tmp_path):
    async with harness(
        tmp_path,
        {"text": "One.", "usage": {"input": 900, "output": 200}},
        allowed=session_limit(1_000),
    ) as own:
        assert (await own.turn("Look.")).reason == "endTurn"
        said = own.said()
        with pytest.raises(SpendLimitReached) as refused:
            await own.turn("More.")
        assert "1,100 tokens of the 1,000 tokens" in refused.value.message
        assert "session.spend_limit_tokens" in refused.value.remedy
        assert "new session" in refused.value.remedy
        assert own.said() == said
        await own.consistent()


async def test_what_a_session_spent_counts_over_turns_and_models_and_a_restart(tmp_path):
    limit = session_limit(3_200)
    async with harness(
        tmp_path, *steps(1), *steps(1), *steps(1), allowed=limit, answers=[NO]
    ) as own:
        assert (await own.turn("Look.")).reason == "endTurn"
        await own.session.set_model("scripted/large")
        assert (await own.turn("Look.")).reason == "endTurn"
        await own.project.live.pop(own.session.id).close()
        own.session = await own.project.load(own.session.id)
        assert (await own.turn("Look.")).reason == "spendLimit"
        assert own.person.asked[0].spend.spent == 2_500
        assert "session.spend_limit_tokens" in notices(own)[-1]


async def test_money_counts_where_the_price_is_known(tmp_path):
    def cost(_model: str, tokens: Tokens) -> float:
        return (tokens.input - tokens.cached) / 1_000 + tokens.output / 100

    limit = turn_limit(3.0, "money")
    async with harness(tmp_path, *steps(9), allowed=limit, cost_of=cost, answers=[NO]) as own:
        assert (await own.turn("Look.")).reason == "spendLimit"
        (call,) = own.person.asked
        assert call.spend.unit == "money"
        assert call.spend.spent == pytest.approx(2.8)
        assert "3.00 US dollars" in call.title


async def test_a_limit_in_money_without_a_price_is_said_once(tmp_path):
    limit = session_limit(0.01, "money")
    async with harness(tmp_path, *steps(2), *steps(2), allowed=limit) as own:
        assert (await own.turn("Look.")).reason == "endTurn"
        assert (await own.turn("Look.")).reason == "endTurn"
        assert own.person.asked == []
        (notice,) = notices(own)
        assert "`session.spend_limit_money` has no effect" in notice
        assert "scripted/small" in notice


async def test_where_a_provider_reports_nothing_our_own_count_stands_in(tmp_path):
    silent = [*[{"calls": [GLOB]}] * 9, {"text": "Done."}]
    async with harness(tmp_path, *silent, allowed=turn_limit(3_000), answers=[NO]) as own:
        assert (await own.turn("Look.")).reason == "spendLimit"
        assert 2 <= len(own.provider.requests) < 9
    async with harness(tmp_path / "b", *silent) as own:
        assert (await own.turn("Look.")).reason == "endTurn"
        noted = [e for e in own.entries if isinstance(e, Noted) and e.what == "unreported"]
        assert len(noted) == len(own.provider.requests)


async def test_what_is_spent_is_summed_up_with_the_limits_that_are_set(tmp_path):
    def cost(model: str, tokens: Tokens) -> float | None:
        return None if model == "x/unknown" else (tokens.input - tokens.cached) / 1_000

    limits = SessionRules(
        spending=(SpendLimit("turn", "tokens", 90_000), SpendLimit("session", "money", 50))
    )
    async with harness(tmp_path, *steps(1, cached=300), allowed=limits, cost_of=cost) as own:
        await own.turn("Look.")
        found = own.session.state.account.summary()
        # Two requests of 400 tokens in, 300 of them cached.
        assert (found.tokens, found.money) == (Tokens(800, 600, 200), 0.2)
        assert [(each.setting, each.spent) for each in found.limits] == [
            ("turn.spend_limit_tokens", 1_000),
            ("session.spend_limit_money", 0.2),
        ]
        unpriced = usage_note(Usage(1, 1), "turn", "x/unknown", own.session.state.clock)
        await own.session.state.append(unpriced)
        assert own.session.state.account.summary().money is None


def test_a_miss_costs_what_the_cache_would_have_saved():
    def cost(model: str, tokens: Tokens) -> float | None:
        return None if model == "x" else tokens.input - 0.9 * tokens.cached

    assert missed_money("a", 100, cost) == 90
    assert missed_money("x", 100, cost) is None


@pytest.mark.parametrize(
    ("amount", "unit", "shown"),
    [
        (1_234_567, "tokens", "1,234,567 tokens"),
        (1_234.5, "money", "1,234.50 US dollars"),
        (0.1, "money", "0.10 US dollars"),
        (0.0999, "money", "0.0999 US dollars"),
        (0, "money", "0.0000 US dollars"),
    ],
)
def test_an_amount_is_shown_in_its_unit_and_cents_only_where_they_tell_something(
    amount, unit, shown
):
    assert shown_amount(amount, unit) == shown


async def first_request(tmp_path) -> int:
    """The tokens of the next request of a session in which nothing was said."""
    async with harness(tmp_path / "size") as own:
        return own.session.state.load.plan().view.tokens


@pytest.mark.parametrize(("room", "asked"), [(0, 0), (-1, 1)])
async def test_a_request_may_fill_a_limit_to_the_last_token(tmp_path, room, asked):
    limit = turn_limit(await first_request(tmp_path) + room)
    async with harness(tmp_path, allowed=limit, answers=[NO]) as own:
        assert await may_spend(own.session.state, "t1") is (asked == 0)
        assert len(own.person.asked) == asked
        told = [
            f"has spent 0 tokens of the {limit.spending[0].most:,}" in text for text in notices(own)
        ]
        assert told == [True] * asked


@pytest.mark.parametrize(("room", "may"), [(0, True), (-1, False)])
async def test_work_beside_a_turn_leaves_room_for_the_turn_and_for_other_such_work(
    tmp_path, room, may
):
    own_request = await first_request(tmp_path)
    limit = session_limit(own_request + 30 + 20 + room)
    async with harness(tmp_path, allowed=limit) as own:
        state, coming = own.session.state, Tokens(30, 5, 0)
        state.approvals.allowances.under_way["other"] = state.model.id, Tokens(15, 0, 5)
        with spending_unasked(state, state.model.id, coming) as allowed:
            assert allowed is may
            assert len(state.approvals.allowances.under_way) == 1 + may
        assert [*state.approvals.allowances.under_way] == ["other"]


@pytest.mark.parametrize(
    ("most", "coming", "refused"),
    [(101, None, False), (100, None, True), (130, 30, False), (129, 30, True), (100, 0, True)],
)
async def test_outside_of_a_turn_nothing_is_begun_that_would_pass_the_sessions_limit(
    tmp_path, most, coming, refused
):
    async with harness(tmp_path, allowed=session_limit(most)) as own:
        state = own.session.state
        await state.append(usage_note(Usage(90, 10), "turn", state.model.id, state.clock))
        asked = None if coming is None else (state.model.id, Tokens(coming, 0, 0))
        if refused:
            with pytest.raises(SpendLimitReached, match="100 tokens of the"):
                refuse_spent(state, asked)
        else:
            refuse_spent(state, asked)


async def test_the_limit_of_a_turn_is_none_of_a_session(tmp_path):
    async with harness(tmp_path, allowed=turn_limit(1)) as own:
        refuse_spent(own.session.state, ("scripted/small", Tokens(50, 0, 0)))
