"""What the product says to people, as Markdown: the same words in the chat and in a terminal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from plimsoll.context.budget import Meter
from plimsoll.context.log.entries import Pinned, Slot, Stage
from plimsoll.context.report.history import PastRequest
from plimsoll.context.report.receipts import Lost, Receipt
from plimsoll.context.report.report import Advice, ReportItem
from plimsoll.context.report.titles import STATES
from plimsoll.context.view.frames import render_pin
from plimsoll.context.view.ledger import Ledger
from plimsoll.session.layers.wording import load_line, short
from plimsoll.session.listing import ListedSession
from plimsoll.storage.base import SessionRecord
from plimsoll.text.wording import plural

NO_AGENTS: Mapping[str, Sequence[SessionRecord]] = {}
WORDS: Mapping[Stage, tuple[str, str]] = {
    Stage.TRUNCATE: ("shortened", "long output"),
    Stage.REFER: ("left out", "repeated result"),
    Stage.DEDUP: ("removed", "outdated result"),
    Stage.PRUNE: ("removed", "old result"),
    Stage.DIGEST: ("summarised", "item"),
    Stage.COMPACT: ("summarised", "item"),
    Stage.TRIM: ("removed", "oldest item"),
    Stage.EVICT: ("removed", "item"),
    Stage.RESTORE: ("brought back", "item"),
}
"""What each stage does, and to what, as people read it."""
NAMES = {
    "system": "System",
    "instructions": "Instructions",
    "memories": "Memories",
    "recall": "Recalled",
    "pins": "Pins",
    "tasks": "Tasks",
    "tools": "Tools",
    "summary": "Summary",
    "decisions": "Decisions",
    "user": "You",
    "assistant": "Agent",
    "reasoning": "Reasoning",
    "toolResults": "Results",
    "attachments": "Attachments",
    "draft": "Draft",
}
"""The parts of the meter, as people read them."""


def receipt_words(receipt: Receipt) -> str:
    """Describe a reduction in one sentence."""
    count = len(receipt.items)
    done, noun = WORDS[receipt.stage]
    what = f"{count} {noun}{'' if count == 1 else 's'}"
    change = receipt.before - receipt.after
    if receipt.undone:
        back = "out again" if receipt.stage is Stage.RESTORE else "back"
        return f"Undone: {what} {'is' if count == 1 else 'are'} {back}."
    if receipt.status == "planned":
        return f"To come: {what} {done}, {short(change)} tokens freed."
    did = f"{done[0].upper()}{done[1:]} {what}"
    if change < 0 or receipt.stage is Stage.RESTORE:
        return f"{did}, {short(abs(change))} tokens more."
    return f"{did}, {short(change)} tokens freed."


def receipt_markdown(receipt: Receipt) -> str:
    """Say what the last reduction did and why, and which rules and tasks left."""
    why = " ".join(receipt.why.split()).rstrip(".")
    then = (
        _describe_undo(receipt)
        if receipt.undone
        else f"{why[:1].upper()}{why[1:]}. `/undo` undoes it."
    )
    lines = [f"**{receipt_words(receipt)}**", "", then]
    lines += _lost_lines(receipt.lost)
    return "\n".join(lines)


def _describe_undo(receipt: Receipt) -> str:
    """Say how many tokens an undo brought back or removed."""
    tokens = receipt.before - receipt.after
    if receipt.stage is Stage.RESTORE or tokens < 0:
        return f"{short(abs(tokens))} tokens are free again."
    return f"{short(tokens)} tokens are in the context again, and stay until it is full."


MOST_RULES = 6


def ended_words(rule: str, by: str) -> str:
    """Say in one line which rule was ended, and by which words."""
    return f"~~{' '.join(rule.split())}~~ (by: {' '.join(by.split())})"


def _lost_lines(lost: Lost) -> Iterator[str]:
    """List the rules and tasks that left the view with a reduction."""
    if lost.constraints:
        yield from ("", "Instructions that left the context; `/pin` and its words keeps one:")
        rules = lost.constraints[:MOST_RULES]
        yield from (f"- {' '.join(rule.split())}" for rule in rules)
        if lost.constraints_total > len(rules):
            yield f"- and {lost.constraints_total - len(rules)} more"
    if lost.ended:
        yield from ("", "Ended by a later instruction; `/rules` lists them and takes one back:")
        yield from (f"- {ended_words(each.constraint, each.ended_by)}" for each in lost.ended)
    if lost.tasks:
        yield from ("", "Tasks that left the context:")
        yield from (f"- {' '.join(task.split())}" for task in lost.tasks)


CELLS, CELLS_A_LINE = 100, 25
SIGNS: Mapping[Slot, str] = {
    Slot.SYSTEM: "S",
    Slot.TOOLS: "T",
    Slot.TASKS: "K",
    Slot.INSTRUCTIONS: "I",
    Slot.MEMORIES: "M",
    Slot.RECALL: "L",
    Slot.PINS: "P",
    Slot.SUMMARY: "Z",
    Slot.DECISIONS: "E",
    Slot.USER: "Y",
    Slot.DRAFT: "D",
    Slot.ASSISTANT: "A",
    Slot.REASONING: "N",
    Slot.ATTACHMENTS: "H",
    Slot.TOOL_RESULTS: "R",
}
"""The letter of each kind in the picture, in the order of the picture."""


def picture(meter: Meter) -> list[str]:
    """Draw the load as a hundred cells of one per cent: the kinds, the free part, the marks."""
    budget = meter.budget
    held = [(SIGNS[slot], meter.parts[slot]) for slot in SIGNS if meter.parts.get(slot)]
    ends = list(accumulate(tokens for _, tokens in held))
    marks = (("w", budget.warning), ("c", budget.compact), ("s", budget.blocking))
    cells = ["·"] * CELLS
    for cell in range(CELLS):
        at = (cell + 0.5) * budget.effective / CELLS
        cells[cell] = next((held[n][0] for n, end in enumerate(ends) if at < end), "·")
    for sign, tokens in marks:
        cell = min(CELLS - 1, CELLS * tokens // budget.effective)
        cells[cell] = sign if cells[cell] == "·" else cells[cell]
    lines = ["".join(line) for line in split_rows(cells, CELLS_A_LINE)]
    return ["```text", *lines, "```", "`·` free, `w` warning, `c` compact, `s` stop"]


BLOCKS = "▁▂▃▄▅▆▇█"
NEWEST = 60
"""Requests that the curve shows."""


def curve(meter: Meter, history: Sequence[PastRequest]) -> list[str]:
    """Draw the load of the newest requests and of the next one, marked where it was reduced."""
    newest = history[-NEWEST:]
    loads = [*(each.tokens for each in newest), meter.used]
    most = max(meter.budget.effective, *loads, 1)
    line = "".join(BLOCKS[(len(BLOCKS) - 1) * load // most] for load in loads)
    marks = "".join("v" if each.reductions else " " for each in newest).rstrip()
    if not newest:
        return []
    drawn = ["", "```text", *((marks,) if marks else ()), line, "```"]
    return [*drawn, "Tokens per request; last = next; `v` = reduced"]


def split_rows(cells: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Yield the cells line by line."""
    return (cells[start : start + size] for start in range(0, len(cells), size))


def report_markdown(
    meter: Meter,
    items: Sequence[ReportItem],
    receipts: Sequence[Receipt],
    advice: Sequence[Advice],
    *,
    history: Sequence[PastRequest] = (),
    detail: bool,
) -> str:
    """Write the context report as Markdown."""
    lines = [
        f"**Load line**: {load_line(meter)}",
        "",
        *picture(meter),
        *curve(meter, history),
        "",
        "| | part | tokens | share |",
        "|---|---|---:|---:|",
    ]
    for slot, tokens in sorted(meter.parts.items(), key=lambda pair: -pair[1]):
        share = 100 * tokens / max(1, meter.used)
        lines.append(f"| `{SIGNS[slot]}` | {NAMES[slot.value]} | {tokens:,} | {share:.0f}% |")
    if detail:
        lines += ["", "| item | state | tokens | id |", "|---|---|---:|---|"]
        lines += [_item_row(item) for item in sorted(items, key=lambda item: -item.tokens)]
    if receipts:
        lines += ["", "Reductions:"]
        lines += [f"- `{r.id}` {receipt_words(r)}" for r in receipts if not r.undone]
    lines += _advice_lines(advice)
    return "\n".join(lines)


def _advice_lines(advice: Iterable[Advice]) -> list[str]:
    found = [f"- {each.message} Frees about {short(each.saves)}." for each in advice]
    return ["", "What would help:", *found] if found else []


def _item_row(item: ReportItem) -> str:
    state = (
        STATES[item.state] + (", stale" if item.stale else "") + (", pinned" if item.pinned else "")
    )
    title = item.title.replace("|", "\\|")
    return f"| {title} | {state} | {item.tokens:,} | `{item.id}` |"


def pins_markdown(pins: Sequence[Pinned], ledger: Ledger) -> str:
    """List the pins with their numbers."""
    if not pins:
        return "Nothing is pinned. `/pin TEXT` pins a text."
    return "\n".join(_pin_row(pin, render_pin(pin, ledger).tokens) for pin in pins)


def _pin_row(pin: Pinned, tokens: int) -> str:
    where = ", in every session of this folder" if pin.scope == "workspace" else ""
    return f"{pin.number}. {pin.text} ({tokens} tokens{where})"


def sessions_markdown(
    sessions: Sequence[ListedSession], agents: Mapping[str, Sequence[SessionRecord]] = NO_AGENTS
) -> str:
    """List the sessions of a folder, newest first, and below each its subagents'."""
    if not sessions:
        return "There is no session in this folder yet."
    rows = [
        row
        for one in sessions
        for row in (
            _session_row(one.record) + (f", on {one.machine}" if one.machine else ""),
            *(f"  {_session_row(each)}, {each.agent}" for each in agents.get(one.record.id, ())),
        )
    ]
    return "\n".join(rows)


def _session_row(session: SessionRecord) -> str:
    turns = plural(session.turns, "turn")
    when = f"{session.updated_at[:16].replace('T', ' ')} UTC"
    return f"- `{session.id}` **{session.title or 'untitled'}**, {when}, {session.model}, {turns}"
