"""The words that carry no meaning for a search, and those that carry little."""

import re

STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a about above actually after again all already also always am an and another any anyone are
        as ask at be because been before being below between both but by can cannot could did do
        does doing done down each either else ever every exactly explain few find for from further
        get gets give given goes got had has have having he hello help her here hers hey hi him his
        how however i if in inside into is it its just kindly know let lets like list live lives
        locate located look looking looks make makes many may me mean means might more most much
        must my need no nor not now of off on once one only onto or other our out over own part
        place please point quote repo repository same say says see shall she should show shows so
        some someone something somewhere still such tell than thank thanks that thats the their them
        then there these they thing things this those through to too under understand until up upon
        us use used uses using very want was way we well were what whats when where wheres whether
        which while who whom whose why will with within without would you your yours project
        codebase code workspace line lines source sources happen happens work works working exist
        exists called named name define defined defines definition implement implemented implements
        implementation file files folder directory test tests tested testing
        """,
    )
)

COMPOUNDED = frozenset(
    {"line", "lines", "file", "files", "folder", "source", "sources", "name", "test", "workspace"}
)
"""Stop words that mean something behind another word: the load line."""

WEAK = frozenset(
    re.findall(
        r"\w+",
        """
        add build calculat call chang check choos chos class comput constant creat decid function
        handl hold import keep kept load method pars print rais read return run sav set start stor
        valu variabl writ
        """,
    )
)
"""Stems that say what is done and not to what; they rank lines but find too many of them."""

SUFFIXES = (
    "ations",
    "ation",
    "ings",
    "ing",
    "edly",
    "ed",
    "ers",
    "er",
    "ies",
    "ions",
    "ion",
    "es",
    "s",
    "ly",
    "e",
)
"""Longest first where one ends in another."""
