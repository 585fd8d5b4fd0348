"""Forms of English words that no cutting of endings brings together: ``bought`` and ``buy``."""

import re
from collections.abc import Mapping

_FAMILIES = """
    analysis analyses / axis axes / basis bases / be been was were / become became
    begin began begun / break broke broken / bring brought / build built / buy bought
    catch caught / child children / choose chose chosen / come came / crisis crises
    criterion criteria / deal dealt / diagnosis diagnoses / draw drew drawn / drink drank drunk
    drive drove driven / eat ate eaten / fall fell fallen / feed fed / feel felt / fight fought
    find found / fly flew flown / foot feet / forget forgot forgotten / freeze froze frozen
    get got gotten / give gave given / go went gone / goose geese / grow grew grown / half halves
    hang hung / hear heard / hide hid hidden / hold held / hypothesis hypotheses / index indices
    keep kept / knife knives / know knew known / lead led / leaf leaves / leave left / lend lent
    life lives / light lit / lose lost / make made / man men / matrix matrices / mean meant
    meet met / mouse mice / pay paid / person people / ride rode ridden / ring rang rung
    rise rose risen / run ran / say said / see saw seen / seek sought / sell sold / send sent
    shake shook shaken / shelf shelves / shoot shot / shrink shrank shrunk / sing sang sung
    sink sank sunk / sleep slept / speak spoke spoken / spend spent / stand stood
    steal stole stolen / stick stuck / strike struck / swear swore sworn / swim swam swum
    take took taken / teach taught / tear tore torn / tell told / think thought
    throw threw thrown / tooth teeth / understand understood / vertex vertices / wake woke woken
    wear wore worn / wife wives / win won / wolf wolves / woman women / write wrote written
"""


def _forms() -> Mapping[str, tuple[str, ...]]:
    forms: dict[str, tuple[str, ...]] = {}
    for family in re.split(r"/|\n", _FAMILIES):
        members = tuple(family.split())
        forms |= {word: tuple(other for other in members if other != word) for word in members}
    return forms


_FORMS = _forms()


def other_forms(word: str) -> tuple[str, ...]:
    """Return the irregular forms of a folded word, but for itself; mostly none."""
    return _FORMS.get(word, ())
