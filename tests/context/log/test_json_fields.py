"""What is read out of texts of older logs and of others."""

import pytest

from plimsoll.context.log.json_fields import exit_code_in, exit_note


@pytest.mark.parametrize(
    ("output", "code"),
    [
        (exit_note(3), 3),
        (f"done\n{exit_note(0)}", 0),
        (f"{exit_note(1)}\nand again\n{exit_note(2)}", 2),
        (exit_note(-9), -9),
        ("<returncode>4</returncode>\n<output>no such file</output>", 4),
        ("no code at all", None),
    ],
)
def test_the_exit_code_stands_at_the_end_or_the_beginning(output: str, code: int | None):
    assert exit_code_in(output) == code
