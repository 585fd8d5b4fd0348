"""What stems from a file is found without looking at all that stands, in any log."""

import pytest
from hypothesis import settings
from hypothesis.stateful import invariant, run_state_machine_as_test

from builders import LEDGER, assistant, result, user
from context.test_stateful import STEPS, Conversation
from examples import examples
from plimsoll.context.log.messages import Source, is_frame
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.sources import file_of


class Reading(Conversation):
    """A session of which it is asked after each step which files stand in it."""

    @invariant()
    def the_files_are_those_of_the_view(self) -> None:
        stand = [shown for shown in self.fold.view.items() if shown.part.source is not None]
        files = [file_of(shown.part.source.uri) for shown in stand]
        sources = self.fold.sources()
        for file in dict.fromkeys(files):
            wanted = [shown for shown, other in zip(stand, files, strict=True) if other == file]
            assert sources.items_of(file) == wanted
            assert sources.items_of_same_files([wanted[0].item]) == wanted
        said = [f for shown, f in zip(stand, files, strict=True) if not is_frame(shown.item)]
        assert sources.newest_files(2) == [*dict.fromkeys(said)][-2:]


@pytest.mark.timeout(400)
def test_the_files_of_any_log_are_those_of_its_view() -> None:
    limits = settings(max_examples=examples(60), stateful_step_count=STEPS)
    run_state_machine_as_test(Reading, settings=limits)


@pytest.mark.parametrize(
    ("uri", "file"),
    [
        ("file:///w/a%20b.py", "/w/a b.py"),
        ("file:///w//a.py", "/w/a.py"),
        ("https://example.invalid/a.py", None),
        ("http://[", None),
        ("untitled:Untitled-1", None),
    ],
)
def test_the_file_that_a_uri_names(uri: str, file: str | None) -> None:
    assert file_of(uri) == file


def test_each_file_that_calls_read_at_once_is_found_as_the_results_come() -> None:
    calls = [("c1", "file_read", "{}"), ("c2", "file_read", "{}")]
    fold = Fold(LEDGER, [user("u1", "Compare."), assistant("a1", "", *calls)])
    for number, path in enumerate(("a.py", "b.py"), 1):
        source = Source(f"file:///w/{path}")
        fold.append(result(f"r{number}", "a1", f"c{number}", path, "file_read", source=source))
        fold.sources()

    found = [fold.sources().items_of(f"/w/{path}") for path in ("a.py", "b.py")]
    assert [[shown.item for shown in items] for items in found] == [["r1.0"], ["r2.0"]]
