"""What a person was shown beside the conversation is there again after a reload."""

from builders import LEDGER, assistant, user
from plimsoll.context.view.fold import Fold
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.ports.events import CommandAnswered, NoticeGiven, TurnEnded
from plimsoll.session.state.shown import shown_earlier, shown_note, turn_note

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
