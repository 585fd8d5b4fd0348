"""What is read out of texts of older logs and of others."""

import pytest

from plimsoll.context.log.json_fields import exit_code_in, exit_note, upgrade_fields


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


def test_the_tasks_of_an_older_frame_are_its_lines_below_the_heading():
    text = "Tasks:\n[x] Read the code\n[ ] Mend it"

    read = upgrade_fields({"type": "framed", "kind": "tasks", "text": text})

    assert read["tasks"] == [
        {"status": "completed", "title": "Read the code"},
        {"status": "pending", "title": "Mend it"},
    ]


def test_an_older_frame_of_memories_is_split_into_passages():
    told = "- m1, 2026-01-01, Tabs\n  of eight"
    text = f"Memories:\n{told}\n\n## Notes\nOne.\nTwo."

    read = upgrade_fields({"type": "framed", "kind": "memories", "text": text})

    assert read["passages"] == [
        {"lines": 1},
        {"memory": "m1", "lines": 2},
        {"heading": True, "lines": 2},
        {"lines": 2},
    ]
