"""Why a summary is refused, in the words in which the model is told."""

from dataclasses import replace

import pytest

from builders import words
from plimsoll.context.decisions.record import HEADING
from plimsoll.context.stages.summary import SummaryAnswer, SummaryDemands, objections, refusal

GOOD = SummaryAnswer(
    "## Goal\nMend parse_url.\n### next steps\nRun it.", finished=True, called=False
)
SIZE = words(GOOD.text)
DEMANDS = SummaryDemands(
    required=("parse_url",), headings=("Goal", "Next steps"), target=SIZE, replaced=SIZE + 1
)


@pytest.mark.parametrize(
    ("answer", "demands", "why"),
    [
        ({}, {}, None),
        ({"called": True}, {}, "it called a tool"),
        ({"text": " \n"}, {}, "it was empty"),
        ({"text": "<analysis>so</analysis>"}, {}, "it held nothing but an analysis"),
        ({"finished": False}, {}, "it was cut off"),
        ({"text": "Goal\n## Next steps\nparse_url"}, {}, "it lacks the headings Goal"),
        ({"text": "parse_url"}, {}, "it lacks the headings Goal, Next steps"),
        ({"text": "parse_url"}, {"headings": ()}, None),
        (
            {"text": f"{GOOD.text}\n# {HEADING}"},
            {},
            f"it has the heading {HEADING}, which is kept from the log",
        ),
        ({}, {"replaced": SIZE}, f"it has {SIZE} tokens, no fewer than what it replaces"),
        ({}, {"target": SIZE - 1}, f"it has {SIZE} tokens, more than {SIZE - 1}"),
        ({}, {"required": ("parse", "parse_url", "x.py")}, "it does not name parse, x.py"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_summary_is_refused_for_what_is_wrong_with_it(answer, demands, why):
    assert refusal(replace(GOOD, **answer), replace(DEMANDS, **demands), words) == why


def test_all_that_is_wrong_but_for_the_size_is_told_together():
    assert objections(GOOD.text, replace(DEMANDS, target=0, replaced=0)) == ()
    assert objections(f"# {HEADING}\n", DEMANDS) == (
        "it lacks the headings Goal, Next steps",
        f"it has the heading {HEADING}, which is kept from the log",
        "it does not name parse_url",
    )
