"""Words of which one often stands for another where people speak of what a program does."""

from collections.abc import Mapping

from plimsoll.text.rule_parts import stem_of

_RELATED = """
    make create add new insert open start
    get read show fetch retrieve view display see open print
    list enumerate all which / delete remove erase drop destroy
    update change edit modify set alter
    search find look query lookup locate / move rename / write save store
    run execute evaluate
    picture image screenshot photo / folder directory / comment reply note message
    pr pull / issue ticket bug / repo repository project / commit revision / send post publish
    website webpage page url web site / click press tap / type fill enter input
    hour clock time timezone / branch fork / difference diff compare
    history log / person user member people / text content body
"""


def _families() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for row in _RELATED.replace("\n", " / ").split("/"):
        members = [stem_of(word) for word in row.split()]
        for member in members:
            others = [each for each in members if each != member]
            found[member] = (*found.get(member, ()), *others)
    return found


RELATED_STEMS = _families()
"""The stems of the words that may stand for a word, by its stem."""
