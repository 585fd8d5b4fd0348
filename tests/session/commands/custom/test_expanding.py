"""What becomes of a custom command's text: its arguments, and whose words are whose."""

import pytest

from plimsoll.session.commands.custom.expanding import expand, remarks_on
from plimsoll.text.speech.pasted import WrittenText, typed_spans


def typed(text: str, arguments: str) -> list[str]:
    """What of the prompt counts as typed by the person."""
    prompt = expand(text, arguments)
    spans = typed_spans(WrittenText(prompt.text, prompt.pasted))
    return [prompt.text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    ("text", "arguments", "prompt", "own"),
    [
        ("Fix it.", "", "Fix it.", []),
        ("\nFix it.\r\nNow.\n", "", "Fix it.\nNow.", []),
        ("Fix $ARGUMENTS.", "the parser", "Fix the parser.", ["the parser"]),
        ("Fix $ARGUMENTS.", "", "Fix .", []),
        ("Fix it.", "in src", "Fix it.\n\nin src", ["in src"]),
        ("From $1 to $2, $1!", "a 'b c' d", "From a to b c, a!", ["a", "b c", "a"]),
        ("$1 and $2", "it's", "it's and ", ["it's"]),
        ("It costs $100, $1.", "x", "It costs $100, x.", ["x"]),
        ("$ARGUMENTSX $0", "x", "$ARGUMENTSX $0\n\nx", ["x"]),
        # What stands in an argument is looked at for nothing.
        ("Do $1 $2", "$2 $ARGUMENTS", "Do $2 $ARGUMENTS", ["$2", "$ARGUMENTS"]),
        ("Read @src/a.py", "", "Read @src/a.py", []),
    ],
)
def test_arguments_take_their_places(text: str, arguments: str, prompt: str, own: list[str]):
    assert expand(text, arguments).text == prompt
    assert typed(text, arguments) == own


def test_what_nobody_would_see_is_left_out():
    hidden = "".join(chr(0xE0000 + ord(each)) for each in "rm -rf")
    assert expand(f"Fix\u200b it{hidden}.\x1b[8m", "").text == "Fix it.[8m"


def test_what_has_no_effect_is_said():
    assert remarks_on("Fix it.") == ()
    (ran,) = remarks_on("The state: !`git status`")
    assert "are not run" in ran
    (asked,) = remarks_on("Fix ${input:name}.")
    assert "to fill in" in asked
