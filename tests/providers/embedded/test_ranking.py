"""Which file stands first of those that were found."""

from plimsoll.providers.embedded.places import Evidence, SourceLine
from plimsoll.providers.embedded.ranking import ranked_spots
from plimsoll.providers.embedded.terms import parse_question


def test_code_stands_before_a_test_that_says_more():
    found = (
        SourceLine("tests/test_load.py", 1, "def budget():"),
        SourceLine("src/load.py", 9, "left = budget"),
    )
    spots = ranked_spots(Evidence(1, found, (), ()), parse_question("Where is the budget?", None))
    assert [spot.path for spot in spots] == ["src/load.py", "tests/test_load.py"]
