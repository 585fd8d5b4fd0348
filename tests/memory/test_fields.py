"""Scope, importance, tags and procedures: what they accept and what they decide."""

from dataclasses import replace

import pytest

from memory.samples import AT, memory
from plimsoll.errors import InvalidInput, MemoryRefused
from plimsoll.memory.changes import Revise, apply_change
from plimsoll.memory.checking import check_memory
from plimsoll.memory.extraction.patterns import type_of
from plimsoll.memory.injection import InjectionLimits, index_lines, inject, section_of
from plimsoll.memory.ranking import REACH, weight
from plimsoll.memory.types import (
    Author,
    Memory,
    MemoryClass,
    MemoryMatch,
    MemoryScope,
    MemoryState,
    MemoryType,
    Trust,
)
from plimsoll.memory.upkeep.consolidation import ConsolidationLimits, consolidate

LATER = "2027-11-21T10:00:00.000Z"
SECRET = "ghp_" + "R7dK2mQ9xW4zT8vB1nL6cY3hJ5fS0pGaE2uX"


@pytest.mark.parametrize("kind", [MemoryType.USER, MemoryType.FEEDBACK])
def test_what_a_person_prefers_is_private_whatever_is_asked(kind: MemoryType) -> None:
    assert check_memory(memory(type=kind, scope=MemoryScope.TEAM)).scope is MemoryScope.PRIVATE


def test_a_memory_of_the_team_becomes_private_with_its_type() -> None:
    team = check_memory(memory(scope=MemoryScope.TEAM))
    after, _, _ = apply_change(team, Revise(id="m1", author=Author.USER, type=MemoryType.USER), AT)
    assert (team.scope, after.scope) == (MemoryScope.TEAM, MemoryScope.PRIVATE)


def test_tags_are_single_words_once_each() -> None:
    assert check_memory(memory(tags=("#ci", "ci", "release-2", "größe"))).tags == (
        "ci",
        "release-2",
        "größe",
    )


@pytest.mark.parametrize(
    "tags", [("two words",), ("",), ("x" * 41,), ("a\nb",), ("<system>",), tuple("abcdefghi")]
)
def test_a_tag_that_is_none_is_refused(tags: tuple[str, ...]) -> None:
    with pytest.raises(MemoryRefused):
        check_memory(memory(tags=tags))


def test_a_tag_holds_no_secret() -> None:
    with pytest.raises(MemoryRefused, match="looks like it holds"):
        check_memory(memory(tags=(SECRET,)))


@pytest.mark.parametrize("number", [0, 6, -1])
def test_an_importance_is_from_one_to_five(number: int) -> None:
    with pytest.raises(InvalidInput, match="is none"):
        check_memory(memory(importance=number))


def test_importance_decides_between_what_fits_alike_and_the_usual_one_is_three() -> None:
    weights = [weight(memory(importance=n), AT, frozenset()) for n in (1, 2, None, 3, 4, 5)]
    assert weights == sorted(weights)
    assert weights[2] == weights[3]
    assert weights[5] / weights[0] < 1.3


@pytest.mark.parametrize(
    "heaviest_first",
    [
        [memory(class_=each) for each in MemoryClass],
        [memory(trust=each) for each in (Trust.USER, Trust.AGENT, Trust.EXTRACTED)],
        [memory(pinned=True), memory()],
        [memory(created_at=LATER), memory()],
        [memory(content="It is tabs."), memory(content="Is it tabs?")],
    ],
    ids=["class", "trust", "pinned", "age", "question"],
)
def test_what_weighs_more_is_ahead_of_what_fits_alike_and_of_nothing_else(
    heaviest_first: list[Memory],
) -> None:
    weights = [weight(each, LATER, frozenset()) for each in heaviest_first]
    assert weights == sorted(set(weights), reverse=True)
    assert weights[0] / weights[-1] < REACH


def test_what_a_changed_file_made_doubtful_stands_behind() -> None:
    doubtful = weight(memory(state=MemoryState.STALE), AT, frozenset())
    assert doubtful < weight(memory(class_=MemoryClass.WORKING), AT, frozenset())


def test_what_matters_least_is_not_told_when_room_ends() -> None:
    known = [memory(f"m{n}", f"Fact number {n}.", importance=n) for n in (2, 5, 1, 4)]
    limits = InjectionLimits(relevant=2, index_lines=0)
    assert inject(known, (), limits, len).memories == ("m5", "m4")
    assert [name for _, name in index_lines(known, most_lines=3)] == ["m5", "m4", None]


def test_what_fits_the_question_comes_before_what_matters() -> None:
    known = [memory("m1", "The port is 8080."), memory("m2", "Ships.", importance=5)]
    found = [MemoryMatch(known[0], 1.0)]
    limits = InjectionLimits(relevant=1, index_lines=0)
    assert inject(known, found, limits, len).memories == ("m1",)


def test_of_two_that_say_the_same_the_important_one_stays() -> None:
    said = "The release pipeline builds the wheel on the build host with the internal mirror."
    known = [memory("m1", said, title="t", importance=4), memory("m2", said, title="t")]
    (gone,) = consolidate(known, AT, ConsolidationLimits())
    assert gone.id == "m2"


def test_two_removals_with_one_reason_are_two() -> None:
    first = memory("m1", "", title="It is outdated since the move.", removal=True, supersedes="k1")
    second = replace(first, id="m2", supersedes="k2")
    assert consolidate([first, second], AT, ConsolidationLimits()) == []


@pytest.mark.parametrize(
    "text",
    [
        "How to release: bump the version, tag, push the tag.",
        "To deploy the site, run make site and then make push.",
        "Steps to reproduce a build: clean, then make.",
    ],
)
def test_how_something_is_done_is_a_procedure(text: str) -> None:
    assert type_of(text) is MemoryType.PROCEDURE
    assert section_of(memory(type=MemoryType.PROCEDURE)) == "Procedures"
