import { expect, it } from "vitest";
import type { Entry } from "../../../src/session/state";
import { act, drawn, one, open, READY } from "./openPage";

// @vitest-environment jsdom

const HEIGHT = 100;
const VIEW = 800;

function said(count: number): Entry[] {
  return Array.from({ length: count }, (_, n) => ({
    kind: "user",
    id: `m${n}`,
    text: `Question ${n}`,
    attachments: [],
  }));
}

const articles = () => [...document.querySelectorAll<HTMLElement>("article")];
const first = () => articles()[0]?.getAttribute("aria-label");

/** Gives the page what jsdom has not: a view, and a height of each entry. */
function layOut(): HTMLElement {
  const area = one(".transcript");
  Object.defineProperty(area, "clientHeight", { get: () => VIEW });
  Object.defineProperty(area, "scrollHeight", { get: () => HEIGHT * articles().length });
  return area;
}

function scrollTo(area: HTMLElement, top: number): void {
  area.scrollTop = top;
  area.dispatchEvent(new Event("scroll"));
}

it("draws the newest of a long conversation, and older ones as the reader comes near", () => {
  open({ ...READY, entries: said(200) });
  expect(first()).toBe("You, 141 of 200");
  const area = layOut();
  scrollTo(area, 2000);
  expect(articles()).toHaveLength(60);
  scrollTo(area, 1000);
  expect(first()).toBe("You, 131 of 200");
  // What was read stays where it was seen.
  expect(area.scrollTop).toBe(1000 + 10 * HEIGHT);
  for (let time = 0; time < 7; time += 1) {
    scrollTo(area, 0);
  }
  expect([first(), articles().length]).toEqual(["You, 1 of 200", 200]);
});

it("keeps what was drawn while more is said", async () => {
  open({ ...READY, entries: said(100) });
  scrollTo(layOut(), 0);
  expect(first()).toBe("You, 21 of 100");
  const turn = { turnId: "t1", messageId: "m100", text: "So." };
  act({ type: "update", seq: 1, update: { kind: "textDelta", ...turn } });
  await drawn();
  expect(first()).toBe("You, 21 of 101");
});

it("comes back to the place in which a reader was", () => {
  open({ ...READY, entries: said(200) });
  scrollTo(layOut(), 1000);
  open({ ...READY, entries: said(200) });
  // 5,000 pixels from the end, which is at 0 in a page without a layout.
  expect(one(".transcript").scrollTop).toBe(-5000);
});
