"""The comparison of `plimsoll bench` as one HTML file that loads nothing."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from plimsoll.bench.comparison import Compared, pool_scores
from plimsoll.bench.looking import READ, WRITE
from plimsoll.bench.measuring import OUTPUT, PLAIN, Reduction, Score
from plimsoll.text.wording import plural

WIDTH, HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 18, 30
_MOST_POINTS = 360
_HEADROOM = 2.2
"""Windows that a curve shows at most: a session without reductions can be twenty."""
_MARKED = 40
"""The most reductions of a session that are marked on its curve and listed."""
_LEAST_SHARE = 100
"""A reduction is marked if it frees a hundredth of the window."""
_FILLED = 7
_STYLE = """
:root{color-scheme:light dark;--ground:#fbfaf7;--card:#fff;--ink:#1d2329;--soft:#5d6872;
--rule:#e3e0d8;--a:#9aa3ab;--b:#c98a12;--c:#a34fa0;--d:#4c8a3f;--own:#0b6bb8;--line:#c2352b}
@media(prefers-color-scheme:dark){:root{--ground:#13171b;--card:#1a2026;--ink:#e8ebee;
--soft:#9aa6b1;--rule:#2c343c;--a:#76818b;--b:#e0a83a;--c:#c884c6;--d:#7cbf6d;--own:#55aef0;--line:#f0756b}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:860px;margin:0 auto;padding:40px 20px 64px}
h1{font-size:30px;line-height:1.2;margin:0 0 6px;letter-spacing:-.01em}
h2{font-size:19px;margin:44px 0 4px}h3{font-size:16px;margin:34px 0 2px;overflow-wrap:anywhere}
p{margin:4px 0 14px;color:var(--soft)}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(170px,1fr));gap:12px;
margin:24px 0 8px}
.fact{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:14px 16px}
.fact b{display:block;font-size:26px;line-height:1.2;font-variant-numeric:tabular-nums}
.fact span{color:var(--soft);font-size:14px}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:15px;font-variant-numeric:tabular-nums}
th,td{padding:7px 0 7px 12px;text-align:right;border-bottom:1px solid var(--rule);
white-space:nowrap}
th{color:var(--soft);font-weight:500;font-size:13px}
th:first-child,td:first-child{text-align:left;padding-left:0}
td:first-child{white-space:normal}
tr.own td{font-weight:600}
i.key{display:inline-block;width:18px;height:0;border-top:3px solid;margin:0 8px 4px 0}
.p0{color:var(--a)}.p1{color:var(--b)}.p2{color:var(--c)}.p3{color:var(--d)}.p4{color:var(--own)}
svg{display:block;width:100%;height:auto;margin-top:6px}
svg text{fill:var(--soft);font:11px system-ui,sans-serif}
svg path{fill:none;stroke:currentColor;stroke-width:1.6;stroke-linejoin:round}
svg path.p4{stroke-width:2.4}svg path.area{fill:currentColor;opacity:.1;stroke:none}
svg circle{fill:var(--own);stroke:var(--card);stroke-width:1.5}
svg line{stroke:var(--rule)}svg line.window{stroke:var(--line);stroke-dasharray:5 4}
svg text.window{fill:var(--line)}
.bar{display:grid;grid-template-columns:minmax(120px,230px) 1fr 140px;gap:10px;font-size:14px;
align-items:center;margin:5px 0}
.bar u{display:block;height:10px;border-radius:5px;background:var(--own);text-decoration:none}
.bar span:last-child{text-align:right;color:var(--soft);font-variant-numeric:tabular-nums}
details{margin:6px 0 0;color:var(--soft);font-size:14px}details table{font-size:13px}
summary{cursor:pointer}
footer{margin-top:52px;border-top:1px solid var(--rule);padding-top:14px;font-size:14px;
color:var(--soft)}
@media(max-width:680px){main{padding:24px 14px 48px}h1{font-size:24px}
.bar{grid-template-columns:1fr auto;gap:2px 10px;margin:10px 0}.bar u{grid-column:1/-1;grid-row:2}
table{font-size:12px}th{font-size:11px}th,td{padding:6px 3px}
i.key{width:10px;margin-right:5px}}
"""


def page(found: Sequence[Compared], window: int) -> str:
    """Write the page; no text or title of a session is in it, its name is."""
    scores = pool_scores(found)
    requests = next(iter(scores.values())).requests
    many = plural(len(found), "session")
    priced = (
        f"Cost is counted in tokens: {WRITE} for one that is written to the provider's cache, "
        f"{READ} for one that is read from it; a summary is a request of its own, at {PLAIN:g} for "
        f"what is read and {OUTPUT:g} for what is written. In sight: of the lines and longer runs "
        "that answers and calls repeat from earlier results, how many of their tokens stood word "
        "for word in the request, outside of notes and summaries. With readings: the cost when "
        "what did not stand is read again first. Edits: those whose old text stood. Names: "
        "distinctive ones at their first use, outside of notes. "
        "Rules: what the person asked to hold for good, word for word in each request. Too "
        "large: requests that the window does not hold."
    )
    footer = "Made by <b>plimsoll bench</b> on this machine. Nothing was sent anywhere."
    dots = (
        "Tokens of each request. A dot is a reduction by Plimsoll that freed a hundredth of the "
        "window or more."
    )
    body = [
        f"<h1>What would {'it' if len(found) == 1 else 'they'} have cost?</h1>",
        f"<p>{many} with {requests:,} requests, played again in a window of {window:,} tokens.</p>",
        *_facts(scores),
        "<h2>Policies side by side</h2>",
        f"<p>{priced}</p>",
        _policies(scores),
        f"<h2>What filled {'it' if len(found) == 1 else 'them'}</h2>",
        *_filling(found),
        "<h2>Request by request</h2>",
        f"<p>{dots}</p>",
        *(part for one in found for part in _session(one, window)),
        f"<footer>{footer}</footer>",
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>plimsoll bench</title><style>{_STYLE}</style></head><body><main>\n"
        + "\n".join(body)
        + "\n</main></body></html>\n"
    )


def _facts(scores: Mapping[str, Score]) -> Iterator[str]:
    raw, own = next(iter(scores.values())), list(scores.values())[-1]
    facts = (
        (
            f"{100 * (1 - own.whole_cost / raw.paid):.0f} %",
            "less cost with Plimsoll than with nothing",
        ),
        (f"{own.sight.tokens.share:.1f} %", "of what the answers repeat stood word for word"),
        (f"{own.rules.share:.0f} %", "of the rules stood word for word"),
        (f"{own.over:,}", f"requests too large for the window; {raw.over:,} with nothing"),
    )
    cells = (f'<div class="fact"><b>{value}</b><span>{told}</span></div>' for value, told in facts)
    yield f'<div class="facts">{"".join(cells)}</div>'


def figures_of(score: Score, raw: Score) -> tuple[str, ...]:
    """Return the figures of a policy as the page and the terminal show them; ``raw``: of none."""
    return (
        f"{score.paid / raw.paid:.3f}",
        f"{score.whole_cost / raw.paid:.3f}",
        f"{score.sight.tokens.share:.1f} %",
        f"{score.sight.edits.share:.1f} %",
        f"{score.sight.names.share:.1f} %",
        f"{score.rules.share:.1f} %",
        f"{max(score.tokens):,}",
        f"{score.over:,}",
    )


def _policies(scores: Mapping[str, Score]) -> str:
    raw = next(iter(scores.values()))
    heads = (
        *("", "cost", "with readings", "in sight", "edits", "names", "rules"),
        *("largest", "too large"),
    )
    rows = [
        (f'<i class="key p{place}"></i>{escape(name)}', *figures_of(score, raw))
        for place, (name, score) in enumerate(scores.items())
    ]
    return _table(heads, rows, own=len(rows) - 1)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], own: int | None = None) -> str:
    head = "".join(f"<th>{each}</th>" for each in heads)
    lines = (
        f"<tr{' class=own' if place == own else ''}>{''.join(f'<td>{c}</td>' for c in row)}</tr>"
        for place, row in enumerate(rows)
    )
    return f'<div class="wide"><table><tr>{head}</tr>{"".join(lines)}</table></div>'


def _filling(found: Sequence[Compared]) -> Iterator[str]:
    total: dict[str, int] = {}
    for one in found:
        for what, tokens in one.filling.items():
            total[what] = total.get(what, 0) + tokens
    whole = sum(total.values()) or 1
    most = sorted(total.items(), key=lambda pair: -pair[1])
    rest = sum(tokens for _, tokens in most[_FILLED:])
    for what, tokens in [*most[:_FILLED], *([("all else", rest)] if rest else [])]:
        width = 100 * tokens / most[0][1]
        yield (
            f'<div class="bar"><span>{escape(what)}</span>'
            f'<u style="width:{width:.1f}%"></u>'
            f"<span>{tokens:,} · {100 * tokens / whole:.0f} %</span></div>"
        )


def _session(one: Compared, window: int) -> Iterator[str]:
    raw, own = next(iter(one.scores.values())), one.own
    yield f"<h3>{escape(one.name)}</h3>"
    yield (
        f"<p>{raw.requests:,} requests; with Plimsoll at {own.whole_cost / raw.paid:.2f} of the "
        f"cost, {own.sight.tokens.share:.0f} % in sight, {own.sight.late:,} steps only after a "
        "second reading.</p>"
    )
    yield _chart(one, window)
    steps = _reductions_to_mark(own, window)
    if not steps:
        return
    rows = [_row(each) for each in steps]
    more = len(own.reductions) - len(steps)
    told = f"<p>{more:,} smaller ones are not listed.</p>" if more else ""
    heads = ("before request", "stage", "items", "tokens before", "after")
    yield (
        f"<details><summary>What would have been reduced, and when</summary>"
        f"{_table(heads, rows)}{told}</details>"
    )


def _reductions_to_mark(own: Score, window: int) -> list[Reduction]:
    """List the large reductions in their order; the last may have come after the last request."""
    large = [
        each
        for each in own.reductions
        if (each.before - each.after) * _LEAST_SHARE >= window and each.request < own.requests
    ]
    large.sort(key=lambda each: each.after - each.before)
    return sorted(large[:_MARKED], key=lambda each: each.request)


def _row(each: Reduction) -> tuple[str, ...]:
    return (
        f"{each.request + 1:,}",
        escape(each.stage),
        f"{each.items:,}",
        f"{each.before:,}",
        f"{each.after:,}",
    )


def _chart(one: Compared, window: int) -> str:
    count = max(len(score.tokens) for score in one.scores.values())
    tallest = max(max(score.tokens, default=1) for score in one.scores.values())
    top = max(min(tallest, _HEADROOM * window), 1.0)
    across, up = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def point(request: float, tokens: float) -> tuple[float, float]:
        x = _LEFT + across * request / max(count - 1, 1)
        return x, _TOP + up * (1 - min(tokens, top) / top)

    parts = list(_axes(count, top, window, point(0, window)[1] if window <= top else None))
    for place, score in enumerate(one.scores.values()):
        points = [point(*each) for each in _thin_points(score.tokens)]
        path = "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in points)
        if score is one.own:
            ground = f"L{points[-1][0]:.1f},{_TOP + up}L{points[0][0]:.1f},{_TOP + up}Z"
            parts.append(f'<path class="area p{place}" d="{path}{ground}"/>')
        parts.append(f'<path class="p{place}" d="{path}"/>')
    if tallest > top:
        at = f'x="{WIDTH - _RIGHT}" y="{_TOP - 4}" text-anchor="end"'
        parts.append(f"<text {at}>the largest has {tallest:,} tokens</text>")
    for each in _reductions_to_mark(one.own, window):
        x, y = point(each.request, one.own.tokens[each.request])
        told = f"{escape(each.stage)}: {each.before:,} to {each.after:,} tokens"
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5"><title>{told}</title></circle>')
    label = f"Tokens of each request of {escape(one.name)}, by policy"
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}"'
    return f"<svg {box}>{''.join(parts)}</svg>"


def _axes(count: int, top: float, window: int, window_y: float | None) -> Iterator[str]:
    up, right = HEIGHT - _TOP - _BOTTOM, WIDTH - _RIGHT
    step = _step(top / 4)
    for number in range(int(top // step) + 1):
        y = _TOP + up * (1 - number * step / top)
        told = f"{number * step / 1000:g}k" if number else "0"
        yield f'<line x1="{_LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{told}</text>'
    if window_y is not None:
        ends = f'x1="{_LEFT}" x2="{right}" y1="{window_y:.1f}" y2="{window_y:.1f}"'
        yield f'<line class="window" {ends}/>'
        at = f'x="{_LEFT + 6}" y="{window_y - 5:.1f}"'
        yield f'<text class="window" {at}>window {window:,}</text>'
    yield f'<text x="{_LEFT}" y="{HEIGHT - 8}">request 1</text>'
    yield f'<text x="{right}" y="{HEIGHT - 8}" text-anchor="end">{count:,}</text>'


def _step(least: float) -> float:
    """Choose a round distance between two lines: 1, 2, 2.5 or 5 with zeros."""
    size = 10 ** max(0, len(str(int(least))) - 1)
    return next(size * each for each in (1, 2, 2.5, 5, 10) if size * each >= least)


def _thin_points(tokens: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Thin a curve to the points that can be told apart: of each run, the largest."""
    run = -(-len(tokens) // _MOST_POINTS) or 1
    for start in range(0, len(tokens), run):
        most = max(range(start, min(start + run, len(tokens))), key=tokens.__getitem__)
        yield most, tokens[most]
