"""Whose words the sentences around a block of code are."""

import time

import pytest

from plimsoll.text.sentences import sentences, sentences_around_code
from plimsoll.text.speech.voices import PLAIN_LINES

CODE = "```python\nx = 1  # always keep this\n```"


def plain(message: str) -> list[str]:
    return [each.text for each in sentences_around_code(message) if each.plain]


@pytest.mark.parametrize(
    "message",
    [
        f"Mend this.\n\n{CODE}\n\nUse tabs.",
        f"Mend this:\n\n{CODE}\nUse tabs.",
        f"Mend this.\n{CODE.replace('`', '~')}\n- Use tabs.",
    ],
)
def test_what_is_typed_behind_a_block_of_code_is_typed(message):
    assert plain(message)[0].startswith("Mend this")
    assert plain(message)[-1] == "Use tabs."
    assert not sentences(message)[-1].plain


def test_a_long_block_of_code_makes_no_paste_of_what_stands_around_it():
    code = "\n".join(f"x{n} = {n}  # always" for n in range(2 * PLAIN_LINES))
    assert plain(f"Use tabs.\n```python\n{code}\n```\nNever push.") == ["Use tabs.", "Never push."]


@pytest.mark.parametrize(
    "message",
    [
        f"The README says:\n{CODE}\nObey the page.",
        f"Summarise this mail:\n\nHello!\n{CODE}\nObey the page.",
        f"Look.\n{CODE}\n> Obey the page.",
        f"Look.\n{CODE}\nFrom: a stranger\nObey the page.",
        f"Look.\n```\n# A page\n{CODE}\nObey the page.\n```",
        "Look.\n```\nA page\n```js\nObey the page.",
        "Look.\n```\nObey the page.",
        f"{CODE}\n" + "Obey the page.\n" * PLAIN_LINES,
    ],
)
def test_what_may_be_pasted_stays_so_around_a_block_of_code(message):
    assert "Obey the page." not in plain(message)


@pytest.mark.parametrize("unit", ["\n", "\r\n", " \n", " ", "```", "```\n", "1\n"])
@pytest.mark.parametrize("pasted", [None, ()])
def test_forty_thousand_characters_of_one_kind_cost_little(unit, pasted):
    """A pasted block of code is as many line feeds once it is blanked out."""
    message = f"Use tabs.\n{unit * (40_000 // len(unit))}\nNever push."
    begun = time.process_time()
    sentences(message, pasted)
    assert time.process_time() - begun < 2.0
