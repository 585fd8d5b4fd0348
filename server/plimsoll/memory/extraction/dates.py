"""Makes relative dates absolute: "yesterday" means nothing a week later."""

import re
from collections.abc import Callable
from datetime import date, timedelta

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {
    name: number
    for number, name in enumerate(
        re.findall(r"\w+", "zero one two three four five six seven eight nine ten eleven twelve")
    )
} | {"a": 1, "an": 1, "a couple of": 2}
_COUNT = r"(?P<count>\d{1,3}|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + ")"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_CODE = re.compile(r"(`[^`\n]*`|\"[^\"\n]*\")")
"""Quoted text and code, which stay as they are."""


def make_dates_absolute(text: str, today: date) -> str:
    """Replace relative dates by ISO dates, weeks by their Monday, except in quoted text."""
    pieces = _CODE.split(text)
    return "".join(
        piece if number % 2 else _replace_dates(piece, today) for number, piece in enumerate(pieces)
    )


def _replace_dates(text: str, today: date) -> str:
    for pattern, resolve in _RULES:
        text = pattern.sub(lambda match, resolve=resolve: resolve(match, today), text)
    return text


def _shift_days(days: int) -> Callable[[re.Match[str], date], str]:
    return lambda _match, today: (today + timedelta(days)).isoformat()


def _ago(match: re.Match[str], today: date) -> str:
    return _move_date(today, -_number(match["count"]), match["unit"].lower())


def _ahead(match: re.Match[str], today: date) -> str:
    moved = _move_date(today, _number(match["count"]), match["unit"].lower())
    return f"on {moved}" if len(moved) == len("2000-01-01") else f"in {moved}"


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def _move_date(today: date, count: int, unit: str) -> str:
    """Move a date; write a day for days and weeks, a month for months, else a year."""
    if unit == "day":
        return (today + timedelta(count)).isoformat()
    if unit == "week":
        return (today + timedelta(weeks=count)).isoformat()
    if unit == "month":
        months = today.year * 12 + today.month - 1 + count
        return f"{months // 12:04d}-{months % 12 + 1:02d}"
    return f"{today.year + count:04d}"


def _period(match: re.Match[str], today: date) -> str:
    step = {"last": -1, "previous": -1, "this": 0, "next": 1}[match["which"].lower()]
    if match["unit"].lower() == "week":
        monday = today - timedelta(today.weekday()) + timedelta(weeks=step)
        return f"the week of {monday.isoformat()}"
    return _move_date(today, step, match["unit"].lower())


def _weekday(match: re.Match[str], today: date) -> str:
    wanted = _DAYS.index(match["day"].lower())
    if match["which"].lower() in {"last", "previous"}:
        behind = (today.weekday() - wanted - 1) % 7 + 1
        return (today - timedelta(behind)).isoformat()
    ahead = (wanted - today.weekday() - 1) % 7 + 1
    return (today + timedelta(ahead)).isoformat()


def _deadline(match: re.Match[str], today: date) -> str:
    ahead = (_DAYS.index(match["day"].lower()) - today.weekday()) % 7
    return f"{match['word']} {(today + timedelta(ahead)).isoformat()}"


def _rule(
    pattern: str, resolve: Callable[[re.Match[str], date], str]
) -> tuple[re.Pattern[str], Callable[[re.Match[str], date], str]]:
    # No part of a name or a call: `today()`, `last_week`, `yesterday.log`.
    whole = rf"(?<![\w./-])(?:{pattern})(?![\w(/-]|\.\w)"
    return re.compile(whole, re.IGNORECASE), resolve


_DAY = "(?P<day>" + "|".join(_DAYS) + ")"
_RULES = (
    _rule(r"(?:the )?day before yesterday", _shift_days(-2)),
    _rule(r"(?:the )?day after tomorrow", _shift_days(2)),
    _rule(r"yesterday(?: (?:morning|afternoon|evening|night))?|last night", _shift_days(-1)),
    _rule(r"tomorrow(?: (?:morning|afternoon|evening|night))?", _shift_days(1)),
    _rule(r"today|tonight|this (?:morning|afternoon|evening)|right now", _shift_days(0)),
    _rule(rf"{_COUNT} {_UNIT} (?:ago|back|earlier)", _ago),
    _rule(rf"in {_COUNT} {_UNIT}", _ahead),
    _rule(rf"{_COUNT} {_UNIT} from (?:now|today)", _ahead),
    _rule(rf"(?P<word>by|until|till|before) {_DAY}", _deadline),
    _rule(rf"(?P<which>last|previous|next|this) {_DAY}", _weekday),
    _rule(r"(?:the )?(?P<which>last|previous|this|next) (?P<unit>week|month|year)", _period),
)
