"""Profiles: named sets of settings for a kind of work, each value with its reason.

They stand below everything that a person sets themselves.
"""

from collections.abc import Mapping
from dataclasses import dataclass

DEFAULT_PROFILE = "default"
"""The profile that sets nothing."""


@dataclass(frozen=True, slots=True)
class ProfileValue:
    """A value that a profile sets."""

    path: tuple[str, str]
    """Section and name of the setting."""
    value: bool | int | float | str
    why: str


@dataclass(frozen=True, slots=True)
class SettingsProfile:
    """A set of settings for a kind of work."""

    purpose: str
    """In words for people: what it is for, and what it costs."""
    values: tuple[ProfileValue, ...] = ()


def _set(section: str, name: str, value: bool | float | str, why: str) -> ProfileValue:
    return ProfileValue((section, name), value, why)


PROFILES: Mapping[str, SettingsProfile] = {
    DEFAULT_PROFILE: SettingsProfile("Every setting at its default."),
    "long-refactoring": SettingsProfile(
        "One task over many hours: more of what was read and said stays, and costs more.",
        (
            _set("pruning", "protect_turns", 4, "a change goes over the same files again"),
            _set("pruning", "protect_tokens", 80_000, "the same where one turn is long"),
            _set("compaction", "keep_turns", 6, "a refactoring goes back to its last steps"),
            _set("compaction", "keep_fraction", 0.3, "the same where turns are long"),
            _set("compaction", "keep_user_tokens", 40_000, "rules are said over hours, all hold"),
            _set("pins", "max_tokens", 8_000, "room for the plan and the rules of the work"),
            _set("truncation", "keep_days", 30, "outputs are searched again after days"),
            _set("turn", "max_steps", 500, "a step over many files is one turn"),
        ),
    ),
    "large-codebase": SettingsProfile(
        "Many files in one task: more of them stay beside one another before any leaves.",
        (
            _set("pruning", "protect_tokens", 60_000, "many files are compared, not two alone"),
            _set("compaction", "threshold", 0.6, "files pass through; requests need not grow full"),
            _set("memory", "inject_limit", 10, "more places and decisions to know of"),
            _set("memory", "recall_limit", 5, "an earlier session has often found the place"),
            _set("memory", "index_lines", 400, "a longer list of what is remembered"),
        ),
    ),
    "small-local-model": SettingsProfile(
        "A model on this machine with a window of 8k to 32k: less enters, nothing asks it unseen.",
        (
            _set("truncation", "max_lines", 250, "one output must not take a tenth of the window"),
            _set("truncation", "max_bytes", 8_000, "the same in bytes"),
            _set("budget", "reserve_output_tokens", 2_000, "a small model's answers are short"),
            _set("compaction", "keep_user_tokens", 2_000, "quoted prompts must leave room"),
            _set("memory", "inject_limit", 3, "each memory takes from a small window"),
            _set("memory", "inject_tokens", 600, "the same in tokens"),
            _set("memory", "recall_limit", 1, "the same for what earlier sessions said"),
            _set("memory", "extraction", "phrases", "the machine is not kept busy between turns"),
        ),
    ),
    "cheap": SettingsProfile(
        "As few tokens as possible: what was read a few steps ago leaves and has to be read again.",
        (
            _set("pruning", "protect_turns", 0, "results of the turn at hand leave too"),
            _set("pruning", "protect_tokens", 8_000, "only what was read last stays in view"),
            _set("pruning", "min_savings_tokens", 4_000, "a smaller saving is enough"),
            _set("compaction", "at_mark", "digest", "no model writes a summary by itself"),
            _set("compaction", "keep_fraction", 0.1, "less is carried past a compaction"),
            _set("compaction", "keep_turns", 2, "the same where turns are short"),
            _set("truncation", "max_lines", 400, "a long output is paid for in every request"),
            _set("truncation", "max_bytes", 16_000, "the same in bytes"),
            _set("memory", "inject_limit", 3, "fewer memories begin a session"),
            _set("memory", "inject_tokens", 1_500, "the same in tokens"),
            _set("memory", "recall_limit", 1, "the same for what earlier sessions said"),
            _set("memory", "extraction", "phrases", "no model is asked what is to be remembered"),
        ),
    ),
}
"""Every profile by name."""
