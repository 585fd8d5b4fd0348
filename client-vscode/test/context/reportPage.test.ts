// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { shares } from "../../src/context/grid";
import { reportHtml } from "../../src/context/reportPage";
import { reportDocument } from "../../src/context/reportView";
import type { ContextReport } from "../../src/protocol";
import { escapeHtml } from "../../src/text/html";
import { meter, receipt } from "../values";
import { past, report } from "./reportValues";

/** The page as a browser reads it. */
function page(html: string): HTMLElement {
  const host = document.createElement("div");
  host.innerHTML = html;
  return host;
}

const FOLDER = "file:///w";
const html = (report: ContextReport) => reportHtml(report, FOLDER);

const texts = (host: HTMLElement, selector: string) =>
  [...host.querySelectorAll(selector)].map(({ textContent }) => textContent);

describe("the grid", () => {
  it("has a hundred cells of the window, what is free and what is reserved apart", () => {
    const parts = [
      { kind: "system", tokens: 100 },
      { kind: "toolResults", tokens: 55_200 },
    ];
    expect(shares(meter({ parts }), 5_200)).toEqual([
      { name: "kind-fixed", label: "Always sent", tokens: 100, cells: 1 },
      { name: "kind-files", label: "Files", tokens: 5_200, cells: 4 },
      { name: "kind-runs", label: "Commands and searches", tokens: 50_000, cells: 39 },
      { name: "free", label: "Free", tokens: 56_700, cells: 43 },
      { name: "reserved", label: "Kept for the answer", tokens: 16_000, cells: 13 },
    ]);
  });

  it("is full where the next request does not fit", () => {
    const full = shares(meter({ used: 130_000, parts: [{ kind: "user", tokens: 130_000 }] }), 0);
    expect(full.map(({ name, cells }) => [name, cells])).toEqual([
      ["kind-you", 89],
      ["reserved", 11],
    ]);
  });

  it("is drawn cell by cell with a legend that says the same in numbers", () => {
    const host = page(html(report()));
    const grid = host.querySelector(".grid > svg");
    expect(grid?.querySelectorAll("rect")).toHaveLength(100);
    expect(grid?.getAttribute("aria-label")).toBe(
      "A window of 128,000 tokens in a hundred cells: Always sent 3.1k, Commands and searches 52.2k, Free 56.7k, Kept for the answer 16k.",
    );
    expect(texts(host, ".legend tbody th")).toEqual([
      "Always sent",
      "Commands and searches",
      "Free",
      "Kept for the answer",
    ]);
  });
});

describe("the curve", () => {
  it("has a point for each request, the marks, and each reduction with its words", () => {
    const host = page(html(report()));
    expect(texts(host, ".curve .dot title")).toEqual([
      "Turn 1: 93,400 tokens, 90,000 from the cache",
      "Turn 2: 55,000 tokens",
      "The next request: 55,300 tokens",
    ]);
    expect(texts(host, ".curve .level text[x='586']")).toEqual(["full", "stop", "compact", "warn"]);
    expect(texts(host, ".curve .level title").map((text) => text?.replace(/:.*/, ""))).toEqual([
      "full",
      "stop",
      "compact",
      "warn",
    ]);
    expect(texts(host, ".curve .reduction title")[0]).toContain("38.4k tokens freed");
    expect(texts(host, ".curve .turn")).toEqual(["1", "2", "next"]);
    expect(host.querySelectorAll(".curve .miss")).toHaveLength(1);
    expect(host.querySelector(".curve")?.getAttribute("aria-label")).toBe(
      "2 requests: from 93,400 tokens to 55,300 of the next one, at most 93,400. 2 reductions; text was sent again 1 time. The last table has the figures.",
    );
    expect(texts(host, "section:last-child td")).toContain("93,400");
  });

  it("follows what requests could carry, where that has changed", () => {
    const history = [past(1, 9_000, { effective: 30_000 }), past(2, 9_000, { effective: 112_000 })];
    expect(page(html(report({ history }))).querySelectorAll(".limit")).toHaveLength(1);
    expect(page(html(report())).querySelectorAll(".limit")).toHaveLength(0);
  });

  it("is left out before the first request", () => {
    const host = page(html(report({ history: [], receipts: [] })));
    expect(host.querySelector(".curve")).toBeNull();
    expect(host.textContent).not.toContain("Tokens in figures");
  });
});

describe("the report", () => {
  it("says what was spent, and raises a limit by the one command that it may run", () => {
    const limit = { scope: "session", unit: "money", most: 5, spent: 1.2 };
    const limits = [{ ...limit, setting: "session.spend_limit_money" }];
    const spending = { input: 41_200, cached: 0, output: 2_100, money: 1.2, limits };
    const host = page(html(report({ spending })));
    expect(host.textContent).toContain("41.2k tokens in, 2.1k out · about $1.20");
    expect(host.textContent).toContain("Limit of the session: $1.20 of $5.00 spent");
    const [link] = [...host.querySelectorAll("a")].map((a) => a.getAttribute("href"));
    expect(link).toBe(
      `command:plimsoll.raiseSpendLimit?${encodeURIComponent('["session.spend_limit_money"]')}`,
    );
  });

  it("names items as the context view does, each once, and files from the folder", () => {
    const verbatim = { tokens: 9, originalTokens: 9, state: "verbatim", turn: 0, pinned: false };
    const source = { uri: "file:///w/src/ledger.py", stale: false };
    const items = [
      { ...verbatim, id: "frame.tools.shell", kind: "tools", title: "tools.shell" },
      { ...verbatim, id: "frame.environment", kind: "system", title: "environment" },
      { ...verbatim, id: "pin.p1", kind: "pins", title: "[pinned 1] No tabs." },
      { ...verbatim, id: "m1.0", kind: "toolResults", title: "ledger.py", source, turn: 1 },
    ];
    const files = [{ path: source.uri, rawTokens: 12, injectedTokens: 9 }];
    const host = page(html(report({ items, files })));
    const rowsOf = (title: string) =>
      [...host.querySelectorAll("section")]
        .filter((section) => section.querySelector("h2")?.textContent === title)
        .flatMap((section) => texts(section, "tbody tr"));
    expect(rowsOf("Items")).toEqual(["src/ledger.pyResultswhole19"]);
    expect(rowsOf("Always sent")).toEqual(["EnvironmentSystemwhole09", "No tabs.Pinswhole09"]);
    expect(rowsOf("Tools")).toEqual(["shell900"]);
    expect(rowsOf("Files")).toEqual(["src/ledger.py129"]);
  });

  it("gives no effect to what others wrote", () => {
    const hostile = `<img src=x onerror=alert(1)>"><script>1</script><a href="command:evil">&amp;'`;
    const item = {
      id: "i",
      kind: "user",
      tokens: 1,
      originalTokens: 1,
      state: "verbatim",
      turn: 1,
    };
    const host = page(
      html(
        report({
          items: [{ ...item, title: hostile, pinned: true }],
          files: [{ path: hostile, rawTokens: 1, injectedTokens: 1 }],
          systemSections: [{ name: hostile, tokens: 1 }],
          tools: [{ name: hostile, tokens: 1 }],
          advice: [{ code: "x", message: hostile, saves: 1 }],
          receipts: [receipt({ id: "e1", why: hostile, stage: hostile })],
          history: [past(1, 5, { miss: { cause: hostile, tokens: 1 } })],
          meter: meter({ basis: hostile, zone: hostile, parts: [{ kind: hostile, tokens: 1 }] }),
        }),
      ),
    );
    expect(host.querySelectorAll("img, script")).toHaveLength(0);
    expect([...host.querySelectorAll("a")].map((a) => a.getAttribute("href"))).toEqual([
      "command:plimsoll.raiseSpendLimit",
    ]);
    expect(texts(host, "td")).toContain(hostile);
  });

  it("is a page that loads its style sheet and nothing else", () => {
    const whole = reportDocument("<main></main>", "vscode-resource:", "vscode-resource:/style.css");
    expect(whole).toContain(`content="default-src 'none'; style-src vscode-resource:"`);
    expect(whole).not.toContain("<script");
    expect(escapeHtml(`<&"'>`)).toBe("&lt;&amp;&quot;&#39;&gt;");
  });
});
