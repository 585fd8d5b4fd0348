"""Rules told in passing, in three languages: the newest of each holds, and only the newest."""

import pytest

from plimsoll.text.instructions import instruction_in, replaces
from text.dialogues import BESIDE, DIALOGUES

LANGUAGES = sorted(DIALOGUES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_rule_is_heard_and_what_stands_beside_it_is_not(language):
    missed = [text for _, text in DIALOGUES[language] if instruction_in(text) is None]
    taken = [text for text in BESIDE[language] if instruction_in(text) is not None]
    assert (missed, taken) == ([], [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_newest_of_each_holds_and_only_the_newest(language):
    newest = dict(DIALOGUES[language])
    standing = []
    for _, text in DIALOGUES[language]:
        new = instruction_in(text)
        standing = [old for old in standing if not replaces(new, old)] + [new]
    assert {each.text for each in standing} == set(newest.values())
