"""The slash command `/rules`: which rules hold, which were ended by what, and taking one back."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from plimsoll.errors import InvalidInput
from plimsoll.session.commands.markdown import ended_words
from plimsoll.session.commands.memory_commands import Reply
from plimsoll.session.project import Project
from plimsoll.session.reduction.rules import restore_rule, rules_of
from plimsoll.session.session import Session


class ShownRule(Protocol):
    """A rule, as a session or the wire has it."""

    @property
    def number(self) -> int:
        """The rule's number, counted from 1 among all rules of the session."""
        ...

    @property
    def text(self) -> str:
        """The rule's text, word for word."""
        ...

    @property
    def ended_by(self) -> str | None:
        """The words that ended the rule; None while it holds."""
        ...


NO_RULES = "No standing instruction was typed in this session."


async def rules(rest: str, _project: Project, session: Session) -> Reply:
    """List the rules of the session, or restore one that was ended."""
    verb, _, number = rest.partition(" ")
    if not rest:
        found = rules_of(session.state.log.indexes)
        return Reply(rules_markdown(found), found)
    if verb != "restore" or not number.strip().isdecimal():
        raise InvalidInput(
            f"/rules takes nothing, or restore and a number, not {rest[:40]!r}.",
            remedy="/rules lists the rules with their numbers; then write /rules restore 3.",
        )
    rule = await restore_rule(session.state, int(number))
    return Reply(restored_words(rule), rule)


def restored_words(rule: ShownRule) -> str:
    """Say that a rule holds again."""
    return f"Rule {rule.number} holds again, beside what ended it: {' '.join(rule.text.split())}"


def rules_markdown(rules: Iterable[ShownRule]) -> str:
    """Write the rules as two lists, by their numbers."""
    return "\n".join(_lines(list(rules))) or NO_RULES


def _lines(rules: list[ShownRule]) -> Iterator[str]:
    holding = [rule for rule in rules if rule.ended_by is None]
    ended = [rule for rule in rules if rule.ended_by is not None]
    if holding:
        yield from ("What holds, in your words; of two that disagree the later counts:", "")
        yield from (f"- {rule.number}: {' '.join(rule.text.split())}" for rule in holding)
    if ended:
        yield from ("", "Ended; `/rules restore N` lets one hold again:", "")
        yield from (f"- {e.number}: {ended_words(e.text, e.ended_by or '')}" for e in ended)
