from builders import AT
from plimsoll.context.log.entries import Noted
from plimsoll.context.log.messages import canonical
from plimsoll.context.log.notes import UNREPORTED, USAGE
from plimsoll.providers.base import CacheWrites, Usage
from plimsoll.session.ports.prices import Tokens
from plimsoll.session.state.cost import CostRow, SpentTokens, cost_rows, usage_note


class Clock:
    def new_id(self, kind: str) -> str:
        return f"{kind}1"

    def now(self) -> str:
        return AT


def test_what_was_written_to_a_cache_is_summed_up_by_how_long_it_stays():
    old = {"purpose": "turn", "model": "a/m", "input": 10, "cached": 0, "output": 1}
    notes = [
        Noted(id="n0", at=AT, what=USAGE, data=canonical(old)),
        usage_note(Usage(100, 2, 50, CacheWrites(20, 30)), "turn", "a/m", Clock()),
    ]
    assert cost_rows(notes) == (
        CostRow(
            purpose="turn",
            model="a/m",
            input=110,
            cached=50,
            output=3,
            written=50,
            written_hour=30,
        ),
    )


def test_what_requests_took_is_read_once_of_a_log_that_grows():
    def took(number: int, what: str = USAGE) -> Noted:
        counts = {"model": "a/m", "input": number, "cached": 0, "output": 1, "purpose": "turn"}
        return Noted(id=f"n{number}", at=AT, what=what, data=canonical(counts))

    damaged = Noted(id="n", at=AT, what=USAGE, data="{")
    log, spent = [took(1), damaged], SpentTokens()
    assert list(spent.of(log)) == [("a/m", Tokens(1, 0, 1))]
    log += [took(2, UNREPORTED), took(3)]
    found = [("a/m", Tokens(number, 0, 1)) for number in (1, 2, 3)]
    assert list(spent.of(log)) == list(spent.of(log)) == found
    assert list(spent.of(log[3:])) == found[2:]


def test_our_own_count_stands_in_the_sums_and_is_told():
    own = {"purpose": "turn", "model": "a/m", "input": 10, "cached": 0, "output": 1}
    older = {name: value for name, value in own.items() if name != "purpose"}
    notes = [
        Noted(id="n0", at=AT, what=USAGE, data=canonical(own)),
        Noted(id="n1", at=AT, what=UNREPORTED, data=canonical(own)),
        Noted(id="n2", at=AT, what=UNREPORTED, data=canonical(older)),
    ]
    (row,) = cost_rows(notes)
    assert row == CostRow(purpose="turn", model="a/m", input=30, cached=0, output=3, estimated=22)
