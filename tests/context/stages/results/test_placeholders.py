"""The note of a result that left: one honest line with the ways back."""

import json

import pytest

from builders import LEDGER, edited
from context.stages.logs import call, lines, next_request, read, read_part, shell
from plimsoll.context.log.entries import Framed, ItemState, Replace, Slot, Stage
from plimsoll.context.stages.results.placeholders import notes_for
from plimsoll.context.stages.results.visible_results import visible_results

SCHEMA = json.dumps({"name": "history", "description": "", "parameters": {"type": "object"}})
HISTORY = Framed(id="f", at="", slot="tools.history", kind=Slot.TOOLS, text=SCHEMA)


def note(*entries):
    """The note of the first result of a log; none where it stays."""
    before = next_request(entries)
    return dict(notes_for(before, visible_results(before)[:1])).get("r1.0")


def test_a_file_can_be_read_again_and_looked_up():
    text = lines("w", 584)
    assert note(HISTORY, *read(1, text, "server/x.py")) == (
        "[Old file_read output cleared for server/x.py: 584 lines. as the file is now: file_read; "
        "as it was: history with item_id r1.0]"
    )
    assert note(*read_part(1, text, 20, 80)).startswith(
        "[Old file_read output cleared for src/x.py, lines 20-80: 62 lines."
    )


def test_a_command_keeps_its_verdict():
    rows = ["E   assert 3 == 4", "more", "FAILED tests/a.py::x", "1 failed in 3.1s"]
    text = "\n".join(["word " * 2_000, *rows, "[exit code: 1]"])
    assert note(*shell(1, "pytest -q", text)) == (
        "[Old shell output cleared for pytest -q: 6 lines, exit code 1; "
        '"E   assert 3 == 4"; "FAILED tests/a.py::x"; "1 failed in 3.1s".]'
    )


def test_what_was_cut_as_it_arrived_keeps_the_way_to_the_whole():
    whole = lines("w", 3_000)
    cut = Replace("r1.0", lines("w", 300), ItemState.TRUNCATED, "/spill/out-1.txt")
    arrived = edited("e1", cut, stage=Stage.TRUNCATE)
    assert note(HISTORY, *call(1, "grep", {"pattern": "w"}, whole), arrived) == (
        "[Old grep output cleared for w: 3,000 lines. the whole is in /spill/out-1.txt; "
        "as it was: history with item_id r1.0]"
    )


@pytest.mark.parametrize(("words", "stays"), [(3, True), (400, False)])
def test_what_is_hardly_longer_than_its_note_stays(words, stays):
    text = "\n".join(["word " * words, "an error is one", "an error is two", "it took 3 s"])
    assert (note(*shell(1, "make all of it", text)) is None) == stays


def test_what_is_twice_as_long_as_its_note_leaves():
    def made(words):
        before = next_request(call(1, "grep", {"pattern": "w"}, "word " * words))
        (found,) = visible_results(before)
        return found.tokens, dict(notes_for(before, [found])).get("r1.0")

    sizes = {tokens: text for tokens, text in map(made, range(200)) if text}
    assert min(sizes) == 2 * LEDGER.bare(sizes[min(sizes)])
