"""The context report for people: what the next request holds, by kind and by size."""

from collections.abc import Sequence

from plimsoll.context.meter import Meter
from plimsoll.context.report import ReportItem
from plimsoll.session.inspection import Report, report
from plimsoll.session.markdown import NAMES, receipt_words
from plimsoll.session.state import State
from plimsoll.terminal.load_line import bar, load_line
from plimsoll.terminal.screen import Screen

MOST_ITEMS = 10
"""Items of the short report."""
Row = tuple[str, ...]


def show_meter(meter: Meter, screen: Screen) -> None:
    """The load line; on a terminal with its bar."""
    pieces = (*bar(meter), ("  ", "")) if screen.watched else ()
    screen.coloured((*pieces, (load_line(meter), "bold")))


def show_report(state: State, screen: Screen, *, every_item: bool = False) -> None:
    """The report of the next request."""
    show(report(state), screen, every_item=every_item)


def show(found: Report, screen: Screen, *, every_item: bool = False) -> None:
    """The load line, the tokens of each kind, the largest items or all, and what was reduced."""
    show_meter(found.meter, screen)
    screen.table("The next request", ("kind", "#tokens", "#share"), _kinds(found.meter))
    title = "Items, in the order of the request" if every_item else "Largest items"
    heads = ("what", "kind", "state", "#turn", "#tokens", "item")
    screen.table(title, heads, [_item(item) for item in _chosen(found.items, every_item)])
    standing = [receipt for receipt in found.receipts if not receipt.undone]
    if standing:
        rows = [(one.id, one.stage.value, receipt_words(one)) for one in standing]
        screen.table("Reductions", ("id", "stage", "what it did"), rows)
    for hint in found.advice:
        screen.note(f"! {hint.message} ({hint.saves:,} tokens)", "yellow")


def _kinds(meter: Meter) -> list[Row]:
    kinds = sorted(meter.parts.items(), key=lambda part: -part[1])
    rows = [(NAMES[kind.value], tokens) for kind, tokens in kinds]
    whole = max(1, meter.used)
    return [
        (name, f"{tokens:,}", f"{100 * tokens / whole:.0f}%")
        for name, tokens in (*rows, ("Together", meter.used))
    ]


def _chosen(items: Sequence[ReportItem], every_item: bool) -> Sequence[ReportItem]:
    if every_item:
        return items
    largest = sorted(items, key=lambda item: -item.tokens)[:MOST_ITEMS]
    return [item for item in largest if item.tokens]


def _item(item: ReportItem) -> Row:
    marks = (item.state.value, "pinned" if item.pinned else "", "stale" if item.stale else "")
    state = ", ".join(mark for mark in marks if mark)
    turn = str(item.turn) if item.turn else ""
    return item.title, NAMES[item.slot.value], state, turn, f"{item.tokens:,}", item.id
