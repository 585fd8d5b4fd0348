"""Digest: a summary made from the log itself replaces the old part; no model is called."""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from plimsoll.context.index.calls import AnsweredCall, answered_calls
from plimsoll.context.log.call_end import NEVER_RUN
from plimsoll.context.log.entries import Cover, Said, Stage
from plimsoll.context.log.messages import PartKind, Role
from plimsoll.context.pipeline.due import at_compact, due
from plimsoll.context.pipeline.proposal import NextRequest, Proposal
from plimsoll.context.stages.compaction_plan import CompactionPlan, least_gain, plan_compaction
from plimsoll.context.stages.standing import said_instructions, standing_section
from plimsoll.context.stages.work_done import (
    commands,
    decisions_beside,
    edits,
    files,
    gone_note,
    newest,
    out_of_view,
)
from plimsoll.context.view.fold import Fold
from plimsoll.text.first_words import first_words
from plimsoll.text.lines import lines_of
from plimsoll.text.similarity import Words, said_words, say_the_same

OPENING = (
    "[Summary of the earlier conversation, kept from its log. It is a record, not an order: "
    "what the user says below it counts.]"
)


@dataclass(frozen=True, slots=True)
class _Phrases:
    """A pattern that finds sentences by key words."""

    words: tuple[str, ...]
    pattern: re.Pattern[str]

    def may_stand_in(self, text: str) -> bool:
        """Tell whether a sentence of the text may match, ten times as fast as the pattern."""
        folded = text.casefold()
        return any(word in folded for word in self.words)


def _phrases(*words: str) -> _Phrases:
    pattern = rf"\b({'|'.join(map(re.escape, words))})\b"
    folded = tuple(word.casefold() for word in words)
    return _Phrases(folded, re.compile(pattern, re.IGNORECASE))


_INSTRUCTION = _phrases(
    *("always", "never", "must", "mustn't", "don't", "do not", "every", "only", "without"),
    *("instead of", "make sure", "please", "should", "rule", "remember", "from now on"),
    *("no longer", "not"),
)
_DECISION = _phrases(
    *("decided", "decision", "based on", "I'll use", "I will use", "let's use", "we'll use"),
    *("the issue is", "the bug is", "the cause is", "because", "instead of", "the fix is"),
    *("turns out", "confirmed"),
)
ASSERTED = " (asserted by the model alone)"
"""Appended to the title of a section that quotes the model, whose claims may be wrong."""
ACCURACY = (
    "earlier parts were summarised more than once, so details may have been lost; look them up "
    "with history before relying on them"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
USER_WORDS = "## The user's words, oldest first"
"""The heading of the section with people's words, verbatim."""
CUT = "[cut: the whole is in the session's log]"
MOST_LINES = 12
"""The most lines of a section; the newest are kept."""
WORK = frozenset({"Accomplished", "Commands", "Relevant files"})
"""Sections that list work done, each thing once: kept whole if there is room."""
ALL = 10_000
SHORTER = ((MOST_LINES, ALL), (MOST_LINES, 100), (MOST_LINES, 36), (6, 18), (3, 9), (1, 3))
"""The most lines of a section and of the work lists, for smaller and smaller windows."""
LONGEST_LINE = 300
"""Characters of a quoted line."""


@dataclass(frozen=True, slots=True)
class DigestLimits:
    """The size limits of a digest."""

    user_tokens: int
    """Tokens for the words of people."""
    total_tokens: int


def digest(
    said: Sequence[Said],
    tasks: str | None,
    limits: DigestLimits,
    count: Callable[[str], int],
    *,
    earlier: int = 0,
    standing: str = "",
    ended: Container[str] = (),
    worked: Iterable[Said] | None = None,
) -> str:
    """Write the summary of some messages, in about ``limits.total_tokens`` at most.

    ``earlier``: compactions before this one; from the second on it warns of its own limits.
    ``standing``: the section of the standing instructions, beside the limits; ``ended``: the
    instructions that were ended. ``worked``: all messages out of view, for the lists of work done,
    if they are more.
    """
    calls = answered_calls(said if worked is None else worked)
    spoken = [text for message in said if message.role is Role.USER for text in _texts(message)]
    sections: list[tuple[str, Sequence[str]]] = [
        ("Goal", _clip_lines(spoken[:1], 4 * LONGEST_LINE)),
        (
            "Key instructions",
            [*_other_sentences(_sentences(spoken, _INSTRUCTION), standing, ended)],
        ),
        (f"Key decisions{ASSERTED}", _sentences(_assistant(said), _DECISION, unlike=True)),
        ("Accomplished", edits(calls)),
        ("Commands", commands(calls)),
        ("Last errors", _errors(calls)),
        ("Tasks", [tasks] if tasks else []),
        ("Relevant files", files(calls)),
        (f"Next steps{ASSERTED}", _clip_lines(_assistant(said)[-1:], 2 * LONGEST_LINE)),
        ("Note", [*gone_note(calls), *([ACCURACY] if earlier else [])]),
    ]
    text = next(
        (t for most in SHORTER if count(t := _text(sections, *most)) <= limits.total_tokens),
        _text(sections, *SHORTER[-1]),
    )
    room = min(limits.user_tokens, max(0, limits.total_tokens - count(text)))
    stays = [standing] if standing else []
    return "\n\n".join([text, *stays, *user_words(said, room, count)])


def _other_sentences(found: Iterable[str], standing: str, ended: Container[str]) -> Iterator[str]:
    """Yield the sentences that are neither standing nor ended instructions."""
    flat = " ".join(standing.split())
    yield from (line for line in found if line not in flat and line not in ended)


def _text(sections: Iterable[tuple[str, Sequence[str]]], most: int, files: int) -> str:
    """Join the sections, each cut to its newest ``most`` lines; long lines shrink in proportion.

    ``files``: the most lines of the work lists, which say how many more there were.
    """
    longest = 4 * LONGEST_LINE * most // MOST_LINES
    kept = ((t, newest(x, files) if t in WORK else x[-most:]) for t, x in sections)
    shown = (_section(title, [_short(x, longest) for x in lines]) for title, lines in kept if lines)
    return "\n\n".join([OPENING, *shown])


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} …"


def user_words(said: Sequence[Said], room: int, count: Callable[[str], int]) -> list[str]:
    """Write the section of what people said, verbatim within ``room`` tokens."""
    spoken = [text for message in said if message.role is Role.USER for text in _texts(message)]
    words = _words(spoken, room, count)
    return [f"{USER_WORDS}\n{words}"] if words else []


def _section(title: str, lines: Iterable[str]) -> str:
    return "\n".join([f"## {title}", *(f"- {line}" for line in lines)])


def _texts(message: Said) -> list[str]:
    return [part.text for part in message.parts if part.kind is PartKind.TEXT and part.text.strip()]


def _assistant(said: Iterable[Said]) -> list[str]:
    return [text for m in said if m.role is Role.ASSISTANT for text in _texts(m)]


def _clip_lines(texts: Iterable[str], most: int = LONGEST_LINE) -> list[str]:
    flat = (first_words(text, most + 1) for text in texts)
    return [_short(text, most) for text in flat if text]


def _sentences(texts: Sequence[str], wanted: _Phrases, *, unlike: bool = False) -> list[str]:
    """Find the newest sentences that match, repeated ones only where they were said last, in order.

    ``unlike``: of sentences that say nearly the same, keep only the last one.
    """
    matching = (
        sentence.strip()
        for text in reversed(texts)
        if wanted.may_stand_in(text)
        for sentence in reversed(_SENTENCE.split(text))
        if len(sentence) <= 2 * LONGEST_LINE and wanted.pattern.search(sentence)
    )
    found: dict[str, Words] = {}
    for sentence in matching:
        if sentence in found:
            continue
        words = said_words(sentence) if unlike else ()
        if any(say_the_same(words, other) for other in found.values()):
            continue
        found[sentence] = words
        if len(found) == MOST_LINES:
            break
    return _clip_lines(reversed(found))


def _errors(calls: Sequence[AnsweredCall]) -> list[str]:
    newest = (c for c in reversed(calls) if c.result and c.result.ended not in NEVER_RUN)
    failed = (c for c in newest if c.result and (c.result.failed or c.exit_code not in {None, 0}))
    return [
        f"{call.name} {call.target[:80]}: {_tail(call.result.text)}"
        for call in reversed([*islice(failed, 3)])
        if call.result
    ]


def _tail(text: str) -> str:
    """Return the end of an output, where the error stands, on one line."""
    lines = [line.strip() for line in lines_of(text) if line.strip()]
    return " | ".join(lines[-4:])[-LONGEST_LINE:]


def _words(spoken: Sequence[str], room: int, count: Callable[[str], int]) -> str:
    """Fill the room with people's messages, verbatim, newest first; the last one may be cut."""
    kept: list[str] = []
    for text in reversed(spoken):
        cost = count(text) + 4
        if cost > room:
            if room > 50:
                kept.append(f"{_head(text, room - 20, count)} {CUT}")
            break
        room -= cost
        kept.append(text)
    return "\n".join(f"> {line}" for text in reversed(kept) for line in (*lines_of(text), ""))


def _head(text: str, room: int, count: Callable[[str], int]) -> str:
    """Cut a text to its first ``room`` tokens."""
    head = text[: 4 * room]
    while count(head) > room:
        head = head[: len(head) * 4 // 5]
    return head


DIGEST_SHARE = 0.15
"""The share of the effective window that a digest may take."""


@due(at_compact)
def plan(next_request: NextRequest) -> Proposal | None:
    """Propose a digest, if it frees enough to last.

    If it would not and answers are forced already, it covers all but the newest part.
    """
    why = "the context reached the compact mark"
    least = least_gain(next_request)
    found = propose(next_request, why, least=least)
    if found is None and next_request.tokens >= next_request.budget.force_final:
        return propose(next_request, why, least_kept=True, least=least)
    return found


def propose(
    next_request: NextRequest,
    why: str,
    *,
    least_kept: bool = False,
    by_hand: bool = False,
    sparing: bool = False,
    least: int = 1,
    until: str | None = None,
) -> Proposal | None:
    """Propose a digest of all but the newest part; None if it frees under ``least`` tokens.

    ``by_hand``: a person asks, so what a person restored may leave again. ``sparing``, ``until``:
    as `plan_compaction` takes them.
    """
    chosen = plan_compaction(
        next_request, least_kept=least_kept, by_hand=by_hand, sparing=sparing, until=until
    )
    if chosen is None:
        return None
    section = standing_section(next_request, chosen.groups)
    text = digest_text(next_request, chosen, section.text)
    decisions = decisions_beside(next_request, chosen.groups, section.standing)
    ledger = next_request.fold.ledger
    beside = ledger.text(text) + (ledger.text(decisions) if decisions else 0)
    if chosen.tokens - beside < max(1, least):
        return None
    if chosen.shielded and not by_hand:
        why = f"{why}; {chosen.shielded} of what was brought back had to go too"
    groups = tuple(group.id for group in chosen.groups)
    cover = Cover(groups, text, section.standing, decisions)
    return Proposal(stage=Stage.DIGEST, why=why, ops=(cover,), least=max(1, least))


def earlier_compactions(fold: Fold) -> int:
    """Count the digests and summaries in force."""
    return sum(edit.stage in (Stage.COMPACT, Stage.DIGEST) for edit in fold.edits.values())


def digest_text(next_request: NextRequest, chosen: CompactionPlan, standing: str = "") -> str:
    """Write the digest of the planned groups, with the section of the standing instructions."""
    fold = next_request.fold
    room = int(next_request.budget.effective * DIGEST_SHARE)
    tasks = fold.frames.get("tasks")
    return digest(
        [message for group in chosen.groups for message in group.visible],
        tasks.text if tasks else None,
        DigestLimits(min(next_request.settings.compaction.keep_user_tokens, room // 2), room),
        fold.ledger.bare,
        earlier=earlier_compactions(fold),
        standing=standing,
        ended=said_instructions(next_request.indexes).ended,
        worked=out_of_view(fold, chosen.groups),
    )
