import { expect, it, vi } from "vitest";
import type { Receipt } from "../../../src/protocol";
import { receiptList } from "../../../src/webview/view/receiptList";

// @vitest-environment jsdom

function receipt(fields: Partial<Receipt>): Receipt {
  return {
    id: "e1",
    stage: "evict",
    status: "completed",
    at: "2026-11-27T10:00:00Z",
    why: "the user removed it",
    tokensBefore: 900,
    tokensAfter: 100,
    items: [{ id: "m1.0", title: "a.py", tokens: 800, where: "kept" }],
    lost: { identifiers: [], constraints: [], tasks: [] },
    undone: false,
    prefixRewritten: 0,
    ...fields,
  };
}

const texts = (list: HTMLElement) =>
  [...list.querySelectorAll(".receipt-text")].map(({ textContent }) => textContent);

it("lists the newest first, without what the row of an item tells by itself", () => {
  const list = receiptList([
    receipt({ id: "e1", at: "2026-11-27T10:00:00Z" }),
    receipt({ id: "e2", at: "2026-11-27T11:00:00Z", stage: "truncate" }),
    receipt({ id: "e3", at: "2026-11-27T12:00:00Z", stage: "prune" }),
  ]);

  expect(texts(list)).toEqual([
    "Removed 1 old result, 800 tokens freed.",
    "Removed 1 item, 800 tokens freed.",
  ]);
});

it("offers to undo what was done and was not undone yet", () => {
  const list = receiptList([
    receipt({ id: "e1" }),
    receipt({ id: "e2", undone: true }),
    receipt({ id: "e3", status: "failed" }),
  ]);

  const offered = [...list.querySelectorAll<HTMLElement>("[data-undo]")];
  expect(offered.map(({ dataset }) => dataset.undo)).toEqual(["e1"]);
});

it("stays small, however many there are and however much left", () => {
  const items = Array.from({ length: 100 }, (_, at) => ({
    id: `m${at}`,
    title: `a${at}.py`,
    tokens: 1,
    where: "kept",
  }));
  const made = vi.spyOn(document, "createElement");
  const list = receiptList(Array.from({ length: 80 }, (_, at) => receipt({ id: `e${at}`, items })));

  expect(made.mock.calls.length).toBeLessThan(5000);
  expect(list.textContent).toContain("20 older ones");
  expect(list.textContent).toContain("and 70 more");
});

it("shows what others wrote as text, with the marks that would reorder it", () => {
  const title = "<img src=x onerror=alert(1)>\u202e";
  const list = receiptList([
    receipt({ why: title, items: [{ id: "m", title, tokens: 1, where: title }] }),
  ]);

  expect(list.querySelectorAll("img, script")).toHaveLength(0);
  expect(list.querySelector("li")?.textContent).toContain("<img src=x onerror=alert(1)>U+202E");
});
