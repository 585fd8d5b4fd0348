"""What a person was shown beside the conversation is there again after a reload."""

from dataclasses import replace

import pytest

from builders import LEDGER, assistant, user
from plimsoll.context.log.entries import Entry, Noted, Origin, Rewound, Undone
from plimsoll.context.log.messages import canonical
from plimsoll.context.log.notes import SHOWN, TURN
from plimsoll.context.view.fold import Fold
from plimsoll.errors import PlimsollError
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.ports.events import CommandAnswered, NoticeGiven, RewindTold, TurnEnded
from plimsoll.session.state.shown import (
    open_turn,
    rewind_note,
    shown_earlier,
    shown_note,
    turn_note,
)

CLOCK = CountedClock()


def test_notices_and_turns_that_did_not_end_well_stand_behind_what_was_said():
    notice = NoticeGiven("Take care.", "warning", "t1")
    answer = CommandAnswered("All is well.", "info", None, command="doctor")
    stopped = TurnEnded("t2", "cancelled")
    log = [
        user("u1", "Repair the build.", "t1"),
        shown_note(notice, CLOCK),
        assistant("a1", "Done."),
        turn_note(TurnEnded("t1", "endTurn"), 10, CLOCK),
        shown_note(answer, CLOCK),
        user("u2", "And the docs?", "t2"),
        turn_note(stopped, 20, CLOCK),
    ]

    shown = [(each.after, each.event) for each in shown_earlier(Fold(LEDGER, log))]
    assert shown == [("u1", notice), ("a1", answer), ("u2", stopped)]


def shown(*log: Entry) -> list[tuple[str | None, object]]:
    return [(each.after, each.event) for each in shown_earlier(Fold(LEDGER, log))]


FIRST, SECOND = NoticeGiven("One.", "info"), NoticeGiven("Two.", "info")
TALK = [
    user("u1", "Begin.", "t1"),
    shown_note(FIRST, CLOCK),
    assistant("a1", "Done."),
    user("u2", "Go on.", "t2"),
    shown_note(SECOND, CLOCK),
]


def test_what_a_rewind_hides_is_not_shown_and_its_own_notice_is_until_it_is_undone():
    back = [*TALK, Rewound("w1", "2000", "a1"), rewind_note("w1", "Back.", CLOCK)]
    told = NoticeGiven("Back.", "info", data=RewindTold("w1"))
    assert shown(*back) == [("u1", FIRST), ("a1", told)]
    assert shown(*back, user("u3", "So.", "t3")) == [
        ("u1", FIRST),
        ("a1", replace(told, data=None)),
    ]
    assert shown(*back, Undone("x1", "2000", "w1")) == [("u1", FIRST), ("u2", SECOND)]


def test_a_rewind_to_a_message_takes_what_was_shown_of_it_and_one_before_it_leaves_that():
    to_first = [*TALK, Rewound("w1", "2000", "u1")]
    before_second = [*TALK, Rewound("w1", "2000", "u2", before=True)]
    assert shown(*to_first) == []
    assert shown(*before_second) == [("u1", FIRST)]


@pytest.mark.parametrize(("length", "kept"), [(20_000, "x" * 20_000), (20_001, f"{'x' * 20_000}…")])
def test_a_long_notice_is_kept_up_to_a_limit(length, kept):
    notice = NoticeGiven("x" * length, "error")
    assert shown(shown_note(notice, CLOCK)) == [(None, replace(notice, markdown=kept))]


def test_the_error_of_a_turn_is_told_again_with_its_remedy():
    error = PlimsollError("It broke.", remedy="Mend it.")
    error.kind = "storeUnavailable"
    ((_, ended),) = shown(turn_note(TurnEnded("t1", "error", error), 1, CLOCK))
    assert isinstance(ended, TurnEnded)
    assert (ended.turn, ended.reason) == ("t1", "error")
    assert ended.error is not None
    told = ended.error.message, ended.error.remedy, ended.error.kind
    assert told == ("It broke.", "Mend it.", "storeUnavailable")


@pytest.mark.parametrize(
    ("what", "fields"),
    [
        (TURN, {"used": 1}),
        (TURN, {"used": 1, "turn": "t1"}),
        (TURN, {"used": 1, "turn": "t1", "reason": "of a later version"}),
        (TURN, {"used": 1, "reason": "cancelled"}),
        (SHOWN, {"markdown": "No level."}),
    ],
)
def test_a_note_that_says_less_shows_nothing(what, fields):
    assert shown(Noted(id="n", at="2000", what=what, data=canonical(fields))) == []


def test_a_turn_is_open_until_its_end_is_logged():
    begun = replace(user("u1", "Begin.", "t1"), origin=Origin.PERSON, at="2001")
    ended = turn_note(TurnEnded("t1", "endTurn"), 1, CLOCK)
    assert open_turn([]) is None
    assert open_turn([begun]) == open_turn([begun, assistant("a1", "So.")]) == "t1"
    assert open_turn([begun, ended]) is None
    assert open_turn([ended, begun]) == "t1"
    assert open_turn([begun], since="2001") == "t1"
    assert open_turn([begun], since="2002") is None
    assert open_turn([replace(begun, origin=Origin.IMPORT)]) is None
