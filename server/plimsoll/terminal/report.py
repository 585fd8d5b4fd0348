"""The context report for people: the next request by kind and by size."""

from collections.abc import Mapping, Sequence

from plimsoll.context.budget import Meter, Zone
from plimsoll.context.report.report import ReportItem
from plimsoll.context.report.titles import OUTCOMES, STATES
from plimsoll.session.commands.markdown import NAMES, receipt_words
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.reduction.inspection import Report, report
from plimsoll.session.state.cost import cost_rows
from plimsoll.session.state.load import SessionLoad
from plimsoll.session.state.session_state import SessionState
from plimsoll.terminal.screen import Screen

MOST_ITEMS = 10
"""The number of items in the short report."""
Row = tuple[str, ...]


def show_meter(meter: Meter, screen: Screen) -> None:
    """Print the load line, on a terminal with its bar."""
    pieces = (*bar(meter), ("  ", "")) if screen.watched else ()
    screen.print_coloured((*pieces, (load_line(meter), f"bold {COLOURS[meter.zone]}")))


def show_closing(load: SessionLoad, log: SessionLog, screen: Screen) -> None:
    """Print the closing line of a turn on standard error, in the colour of the load's zone."""
    zone = load.meter().zone
    screen.note(closing_line(load, log), "dim" if zone is Zone.OK else COLOURS[zone])


def closing_line(load: SessionLoad, log: SessionLog) -> str:
    """Write the closing line of a turn: the load, the session's tokens, its id."""
    rows = cost_rows(log.fold.entries)
    read, written = sum(row.input for row in rows), sum(row.output for row in rows)
    used = (f"{read:,} tokens in, {written:,} out",) if read or written else ()
    return " · ".join((load_line(load.meter()), *used, f"session {log.session_id}"))


def show_report(state: SessionState, screen: Screen, *, every_item: bool = False) -> None:
    """Print the report of the next request."""
    show(report(state), screen, every_item=every_item)


def show(found: Report, screen: Screen, *, every_item: bool = False) -> None:
    """Print the load line, the tokens of each kind, the largest items or all, and reductions."""
    show_meter(found.meter, screen)
    screen.table("The next request", ("kind", "#tokens", "#share"), _kinds(found.meter))
    title = "Items, in the order of the request" if every_item else "Largest items"
    heads = ("what", "kind", "state", "#turn", "#tokens", "item")
    screen.table(title, heads, [_item(item) for item in _choose_items(found.items, every_item)])
    if imports := [row for item in found.items for row in _imports(item)]:
        screen.table("Named by rules files", ("file", "named by", "state", "#tokens"), imports)
    standing = [receipt for receipt in found.receipts if not receipt.undone]
    if standing:
        rows = [(one.id, receipt_words(one)) for one in standing]
        screen.table("Reductions", ("id", "what it did"), rows)
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


def _choose_items(items: Sequence[ReportItem], every_item: bool) -> Sequence[ReportItem]:
    if every_item:
        return items
    largest = sorted(items, key=lambda item: -item.tokens)[:MOST_ITEMS]
    return [item for item in largest if item.tokens]


def _item(item: ReportItem) -> Row:
    marks = (STATES[item.state], "pinned" if item.pinned else "", "stale" if item.stale else "")
    state = ", ".join(mark for mark in marks if mark)
    turn = str(item.turn) if item.turn else ""
    return item.title, NAMES[item.slot.value], state, turn, f"{item.tokens:,}", item.id


def _imports(item: ReportItem) -> list[Row]:
    return [
        (each.path, item.title, OUTCOMES[each.outcome], f"{each.tokens:,}") for each in item.imports
    ]


COLOURS: Mapping[Zone, str] = {
    Zone.OK: "green",
    Zone.WARNING: "yellow",
    Zone.COMPACT: "red",
    Zone.BLOCKING: "bold red",
    Zone.INFEASIBLE: "bold red",
}
"""Yellow from the warning mark, red from the compact mark; the words beside it say the zone too."""
WIDTH = 40
"""The width of the bar in characters."""


def short(tokens: int) -> str:
    """Write a number of tokens in few characters: 940, 3.4k, 112k, 1.0M."""
    if tokens < 1_000:
        return str(tokens)
    if tokens < 9_950:
        return f"{tokens / 1_000:.1f}k"
    return f"{tokens / 1_000:.0f}k" if tokens < 999_500 else f"{tokens / 1_000_000:.1f}M"


def load_line(meter: Meter) -> str:
    """Write the load line: ``⊖ 49% · 55k of 112k · ok``, with the error band of an estimate."""
    percent = meter.budget.percent(meter.used)
    band = f" ± {short(meter.margin)}" if meter.margin else ""
    full = short(meter.budget.effective)
    guess = " (window assumed)" if meter.window_source == "assumed" else ""
    return f"⊖ {percent:.0f}% · {short(meter.used)}{band} of {full}{guess} · {meter.zone}"


def bar(meter: Meter, width: int = WIDTH) -> tuple[tuple[str, str], ...]:
    """Build the bar as pieces with their styles: the load, the free part, and the marks."""
    budget = meter.budget
    marks = {
        min(width - 1, width * mark // budget.effective)
        for mark in (budget.warning, budget.compact, budget.blocking)
    }
    filled = min(width, -(-width * meter.used // budget.effective))
    colour = COLOURS[meter.zone]
    return tuple(
        ("│", "bold") if at in marks else ("█", colour) if at < filled else ("░", "dim")
        for at in range(width)
    )
