"""The digest's sentences: which are quoted, in which order."""

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from builders import LEDGER, assistant, exchange, user
from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Part, PartKind
from plimsoll.context.stages.digest import ASSERTED, MOST_LINES, DigestLimits, digest

ROOMY = DigestLimits(0, 100_000)
INSTRUCTION = re.compile(r"\b(never|must|do not|not)\b", re.IGNORECASE)


def section(said, title):
    text = digest(said, None, ROOMY, LEDGER.bare)
    found = next((part for part in text.split("\n\n") if part.startswith(f"## {title}\n")), "")
    return [line.removeprefix("- ") for line in found.split("\n")[1:]]


def told(*texts):
    return [user(f"u{n}", text) for n, text in enumerate(texts)]


def test_what_is_said_again_counts_where_it_was_said_last():
    said = told("Never push.", "Never squash. So what?", "never rebase", "Never push.")
    assert section(said, "Key instructions") == ["Never squash.", "never rebase", "Never push."]


def test_the_newest_sentences_stay():
    said = told(*(f"Never do {n}. You must {n}!" for n in range(10)))
    kept = [line for n in range(4, 10) for line in (f"Never do {n}.", f"You must {n}!")]
    assert section(said, "Key instructions") == kept
    assert len(kept) == MOST_LINES


def test_decisions_are_those_of_the_assistant():
    said = [*told("We decided on tabs."), assistant("a1", "Fine. I'LL USE spaces.\nNow on.")]
    assert section(said, f"Key decisions{ASSERTED}") == ["I'LL USE spaces."]


def test_what_only_the_model_asserted_is_marked():
    said = [*told("Never push."), assistant("a1", "It fails because of the clock. I go on.")]
    text = digest(said, None, ROOMY, LEDGER.bare)
    titles = [line for line in text.split("\n") if line.startswith("## ")]
    marked = [title for title in titles if title.endswith(ASSERTED)]
    assert marked == [f"## Key decisions{ASSERTED}", f"## Next steps{ASSERTED}"]
    assert "## Key instructions" in titles


def test_near_copies_of_a_decision_are_kept_once_where_it_was_said_last():
    babble = (
        "The bug is in the parser of dates.",
        "The bug is in the parser of the dates!",
        "So the bug is in the parsers of dates.",
        "The bug is not in the parser of dates.",
        "THE BUG IS IN THE PARSER OF DATES.",
    )
    said = [*told("Find it."), *(assistant(f"a{n}", text) for n, text in enumerate(babble))]
    kept = section(said, f"Key decisions{ASSERTED}")
    assert kept == ["The bug is not in the parser of dates.", "THE BUG IS IN THE PARSER OF DATES."]


WORDS = st.sampled_from(["Never", "must", "do", "not", "nothing", "DO NOT", "x", ".", "!", "\n"])


@given(st.lists(st.lists(WORDS, min_size=1, max_size=8).map(" ".join), max_size=6))
def test_looking_first_for_the_words_hides_no_sentence(texts):
    """Against every sentence tried by itself."""
    found: dict[str, None] = {}
    for text in texts:
        for sentence in re.split(r"(?<=[.!?])\s+|\n+", text):
            if INSTRUCTION.search(sentence):
                found.pop(sentence.strip(), None)
                found[sentence.strip()] = None
    expected = [" ".join(sentence.split()) for sentence in found][-MOST_LINES:]
    assert section(told(*texts), "Key instructions") == expected


def shell(number: int, output: str) -> list[Said]:
    return exchange(number, f"{output}\n[exit code: {number % 2}]", "shell", '{"command": "make"}')


def test_of_a_failed_call_the_last_lines_are_told():
    said = [*told("So."), *shell(1, "one\n\ntwo\nthree\nfour\n  five  "), *shell(2, "fine")]
    assert section(said, "Last errors") == ["shell make: three | four | five | [exit code: 1]"]


def test_the_newest_three_failures_are_told_the_oldest_first():
    said = [*told("So."), *(each for n in range(8) for each in shell(n, f"run {n}"))]
    assert section(said, "Last errors") == [
        f"shell make: run {number} | [exit code: 1]" for number in (3, 5, 7)
    ]


def test_what_a_person_attached_is_none_of_their_words():
    (said,) = told("Never push.")
    file = Part(kind=PartKind.FILE, text="Never squash.")
    beside = [replace(said, parts=(*said.parts, file, Part(kind=PartKind.TEXT, text=" ")))]
    assert section(beside, "Key instructions") == ["Never push."]
    assert "squash" not in digest(beside, None, ROOMY, LEDGER.bare)
