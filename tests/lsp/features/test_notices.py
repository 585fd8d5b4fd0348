"""What a slash command answers has the shape in which its method answers it."""

from plimsoll.lsp.features.convert.notices import notice_data
from plimsoll.session.state.cost import CostRow


def test_the_usage_of_a_session_is_whole():
    row = CostRow(purpose="turn", model="openai/gpt-4o", input=100, cached=80, output=7)
    assert notice_data((row,)) == [
        {"purpose": "turn", "model": "openai/gpt-4o", "input": 100, "cached": 80, "output": 7}
    ]
