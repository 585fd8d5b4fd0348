import { expect, it } from "vitest";
import { EMPTY_STATE } from "../../../src/session/state";
import { LoadStrip } from "../../../src/webview/chat/loadStrip";
import { meter } from "../../values";

// @vitest-environment jsdom

it("says the load in a line that opens the context", () => {
  const strip = new LoadStrip();
  strip.draw({ ...EMPTY_STATE, connection: "ready", meter: meter({ turnsLeft: 6, percent: 60 }) });
  expect(strip.element.hidden).toBe(false);
  expect(strip.element.dataset.command).toBe("showContext");
  expect(strip.element.textContent).toContain("55.3k of 112kabout 6 turns left");
  expect(strip.element.querySelectorAll("text")).toHaveLength(0);
});

it("tells files from what was run, as the context view does", () => {
  const strip = new LoadStrip();
  strip.draw({ ...EMPTY_STATE, connection: "ready", meter: meter(), fileTokens: 50_000 });
  const classes = [...strip.element.querySelectorAll("rect.segment")].map((one) =>
    one.getAttribute("class"),
  );
  expect(classes).toEqual(["segment kind-fixed", "segment kind-files", "segment kind-runs"]);
});

it("is not there before anything was measured, nor while no server answers", () => {
  const strip = new LoadStrip();
  strip.draw({ ...EMPTY_STATE, connection: "ready" });
  expect(strip.element.hidden).toBe(true);
  strip.draw({ ...EMPTY_STATE, connection: "failed", meter: meter() });
  expect(strip.element.hidden).toBe(true);
});
