from builders import AT
from plimsoll.context.log.entries import Noted
from plimsoll.context.log.messages import canonical
from plimsoll.context.log.notes import USAGE
from plimsoll.providers.base import CacheWrites, Usage
from plimsoll.session.cost import CostRow, cost_rows, usage_note


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
