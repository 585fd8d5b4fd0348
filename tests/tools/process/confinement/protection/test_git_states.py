"""What git would run as a person continues what was interrupted."""

from pathlib import Path

import pytest

from plimsoll.tools.process.confinement.protection.git.states import acts_later


@pytest.mark.parametrize(
    ("files", "acts"),
    [
        ({}, False),
        ({"git-rebase-todo": "pick 1 one\n# a note\n\nfixup 2 two\n"}, False),
        ({"todo": "pick 1 one\nexec make\n"}, True),
        ({"git-rebase-todo.backup": "x make\n"}, True),
        ({"todo": "pick 1 one\n" * 100_000}, True),
        ({"strategy": "ort\n"}, False),
        ({"strategy": "../mine\n"}, True),
        ({"opts": "[options]\n\tstrategy = ours\n"}, False),
        ({"opts": "[options]\n\tstrategy = mine\n"}, True),
        ({"apply-opt": " -C3 --whitespace=fix"}, False),
        ({"apply-opt": " --directory=.."}, True),
    ],
)
def test_a_state_acts_that_names_a_program_or_cannot_be_read_as_a_whole(
    tmp_path: Path, files: dict[str, str], acts: bool
):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert acts_later(str(tmp_path)) is acts


def test_what_is_no_folder_is_taken_for_one_that_acts(tmp_path: Path):
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path)
    found = {name: acts_later(str(tmp_path / name)) for name in ("gone", "file", "link")}
    assert found == {"gone": False, "file": True, "link": True}
