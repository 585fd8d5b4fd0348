"""Parses model names to family and version: `claude-sonnet-4-5-20250929` is `claude sonnet #`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

Version = tuple[int, ...]

MARK = "#"
"""Replaces a version among the words of a family."""
NEUTRAL = frozenset({"latest", "preview", "exp", "experimental", "beta", "instruct", "it", "hf"})
"""Words at the end of a name that do not change the model."""

_DATE = re.compile(r"(?<![\d.])(?:\d{4}-\d{2}-\d{2}|\d{2}-\d{4}|\d{8}|\d{6}|\d{4})(?!\d)")
_SIZE = re.compile(r"[aei]?\d+(?:\.\d+)?[bme]|\d+x\d+b")
_PACKING = re.compile(r"i?q\d.*|k|m|s|xl|(?:fp|bf|nvfp|mxfp|int)\d+|awq|gptq|gguf|mlx|\d+bit")
_VERSION = re.compile(r"([a-z]*)(\d+(?:\.\d+)*)([a-z]*)")
_MAKERS = frozenset({"meta", "nvidia", "zai"})
"""Makers whose names sometimes precede the family."""
_HIGHEST = 100
"""A larger number is not a version."""


@dataclass(frozen=True, slots=True)
class ModelName:
    """A name in words, each version replaced by a mark."""

    words: tuple[str, ...]
    versions: tuple[Version, ...]

    def family(self, length: int) -> tuple[str, tuple[Version, ...]]:
        """Return the first words as the name of a family, with the versions in them."""
        words = self.words[:length]
        return " ".join(words), self.versions[: sum(MARK in word for word in words)]


def parse_name(name: str) -> ModelName:
    """Parse a model's name, ignoring its folder, maker, date, size and packing."""
    words: list[str] = []
    versions: list[Version] = []
    for number, word in _words(name):
        after_version = bool(words) and words[-1] == MARK
        if number is None:
            words.append(word)
        elif word == MARK and after_version and len(number) == 1:
            # `4-5` is written for `4.5` where no dot is allowed.
            versions[-1] += number
        else:
            words.append(word)
            versions.append(number)
    if len(words) > 1 and words[0] in _MAKERS:
        words = words[1:]
    if words[:2] == ["gpt", MARK] and versions[0] == (35,):
        # Azure allows no dot.
        versions[0] = (3, 5)
    return ModelName(tuple(words), tuple(versions))


def _words(name: str) -> Iterator[tuple[Version | None, str]]:
    """Yield the relevant words, versions parsed."""
    bare = re.split(r"[/\\]", name.lower())[-1].removeprefix("ft:").removesuffix(".gguf")
    bare = re.sub(r"^(?:[a-z-]+\.)+(?=[a-z])", "", bare)
    # Some hosts have no dots in names.
    bare = re.sub(r"(\d)p(\d)", r"\1.\2", bare)
    for word in re.split(r"[^a-z0-9.]+", _DATE.sub("", bare)):
        found = _VERSION.fullmatch(word)
        if not word or _SIZE.fullmatch(word) or _PACKING.fullmatch(word):
            continue
        if found is None or re.fullmatch(r"\d+k", word):
            yield None, word
            continue
        number = tuple(int(part) for part in found[2].split("."))
        if number[0] >= _HIGHEST:
            continue
        if found[1]:
            yield None, found[1]
        yield number, MARK + found[3]
