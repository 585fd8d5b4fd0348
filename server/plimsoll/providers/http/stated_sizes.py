"""How many tokens were sent, and how many may be, as a refusal states it in its vendor's words."""

import re

NUMBER = r"(\d[\d,_]*)"
TOKENS_THEN_LIMIT = (
    re.compile(rf"{NUMBER} \+ [\d,_]+ > {NUMBER}"),
    re.compile(rf"{NUMBER} tokens? > {NUMBER}", re.IGNORECASE),
    re.compile(rf"n_keep: {NUMBER} ?>=? ?n_ctx: {NUMBER}"),
    re.compile(rf"input token count\D{{0,20}}{NUMBER}\D+{NUMBER}", re.IGNORECASE),
    re.compile(rf"\({NUMBER} tokens\) exceeds? \D*{NUMBER}", re.IGNORECASE),
)
LIMIT_THEN_TOKENS = (
    re.compile(rf"maximum context length (?:is|of) {NUMBER}\D+?{NUMBER}", re.IGNORECASE),
    re.compile(rf"limit:? {NUMBER},? requested:? {NUMBER}", re.IGNORECASE),
)
ANSWER_ROOM = re.compile(
    rf"\([^()]*?\b{NUMBER} (?:tokens )?(?:(?:in|for|of) )?(?:the |your )?(?:completion|output)\b",
    re.IGNORECASE,
)
"""The part of the requested tokens that is reserved for the answer."""
LIMIT_ALONE = (
    re.compile(rf"maximum context length (?:is|of) {NUMBER}", re.IGNORECASE),
    re.compile(rf"context (?:size|limit|window)[^\d(]{{0,30}}\(?{NUMBER} tokens", re.IGNORECASE),
    re.compile(rf"context (?:size|limit|window)[^\d(]{{0,30}}{NUMBER}", re.IGNORECASE),
    re.compile(rf"(?:length|tokens)\b[^\d]{{0,30}}\[\d+, ?{NUMBER}\]", re.IGNORECASE),
    re.compile(rf"must be (?:<=?|less than|at most) {NUMBER}\. Given", re.IGNORECASE),
)
LEAST_LARGE = 512
"""Tokens; smaller numbers in such a message are codes and positions."""
LARGE = re.compile(r"(?<![\w.<])\d[\d,_]*(?![\d.]*[\w>])")


def stated_sizes(message: str) -> tuple[int | None, int | None]:
    """Parse the tokens sent and the limit from a message, as far as it names them."""
    for pattern in TOKENS_THEN_LIMIT:
        if found := pattern.search(message):
            return _number(found[1]), _number(found[2])
    for pattern in LIMIT_THEN_TOKENS:
        if found := pattern.search(message):
            room = ANSWER_ROOM.search(message)
            return _number(found[2]) - (_number(room[1]) if room else 0), _number(found[1])
    large = [number for each in LARGE.findall(message) if (number := _number(each)) >= LEAST_LARGE]
    if len(large) == 2 and large[0] != large[1]:
        # What was refused is the larger of the two, in whatever words.
        return max(large), min(large)
    for pattern in LIMIT_ALONE:
        if found := pattern.search(message):
            return None, _number(found[1])
    return None, None


def _number(text: str) -> int:
    return int(text.replace(",", "").replace("_", ""))
