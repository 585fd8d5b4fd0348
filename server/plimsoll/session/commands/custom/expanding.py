"""Turns a custom command into the prompt that a person sees before they send it. Pure.

The file's words count as pasted: they are another's, whoever sends them, so nothing is remembered
or obeyed later because a file says so. What the person typed as arguments stays their own.
"""

import re
import shlex
from collections.abc import Iterator

from plimsoll.session.layers.instructions import INVISIBLE
from plimsoll.session.ports.content import PromptText
from plimsoll.text.speech.pasted import Ranges, in_order

_PLACEHOLDER = re.compile(r"\$(?:(ARGUMENTS)\b|([1-9])(?!\d))")
_RUN = re.compile(r"!`[^`\n]+`")
_INPUT = re.compile(r"\$\{input:[^}\n]+\}")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_NOT_RUN = "The commands behind ! are not run, they stay text: the agent may ask you to run them."
_TO_FILL_IN = "The places ${input:…} are for you to fill in."


def expand(text: str, arguments: str) -> PromptText:
    """Put the arguments into a command's text, once: none of them is looked at for more.

    Without a place for them they stand behind the text. What nobody would see of it is left out.
    """
    visible = _CONTROL.sub("", INVISIBLE.sub("", text.replace("\r\n", "\n"))).strip("\n")
    pieces = list(_pieces(visible, arguments))
    if arguments and _PLACEHOLDER.search(visible) is None:
        pieces += [("\n\n", True), (arguments, False)]
    return PromptText("".join(piece for piece, _ in pieces), _find_pasted(pieces))


def remarks_on(text: str) -> tuple[str, ...]:
    """Say what of a command's text has no effect here."""
    said = ((_RUN, _NOT_RUN), (_INPUT, _TO_FILL_IN))
    return tuple(words for found, words in said if found.search(text))


def _pieces(text: str, arguments: str) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of the prompt, each with whether it comes from the command's file."""
    words, at = _words(arguments), 0
    for place in _PLACEHOLDER.finditer(text):
        yield text[at : place.start()], True
        number = int(place[2] or 0)
        yield arguments if place[1] else "".join(words[number - 1 : number]), False
        at = place.end()
    yield text[at:], True


def _words(arguments: str) -> list[str]:
    try:
        return shlex.split(arguments)
    except ValueError:
        # A quote that nobody closed: an apostrophe, mostly.
        return arguments.split()


def _find_pasted(pieces: list[tuple[str, bool]]) -> Ranges:
    ranges: list[tuple[int, int]] = []
    at = 0
    for piece, is_files in pieces:
        if is_files:
            ranges.append((at, at + len(piece)))
        at += len(piece)
    return in_order(ranges)
