import { expect, it } from "vitest";
import type { MessageView } from "../../../src/protocol";
import type { ToolEntry } from "../../../src/session/state";
import { call } from "../../values";
import { act, drawn, one, open, READY } from "./openPage";

// @vitest-environment jsdom

const { detail: _none, ...picture } = call({
  name: "call_tool",
  kind: "other",
  title: "Call box: draw",
  arguments: { name: "mcp__box__draw" },
});
const running: ToolEntry = {
  kind: "tool",
  id: "c1",
  turnId: "t1",
  call: picture,
  status: "running",
};
const PNG = "iVBORw0KGgoAAAANSUhEUg==";

const result = (...images: string[]): MessageView => ({
  id: "m3",
  role: "tool",
  turnId: "t1",
  at: "2026-11-28T01:00:00Z",
  parts: [
    { itemId: "m3.0", type: "toolResult", text: "Drawn.", toolCall: picture, state: "verbatim" },
    ...images.map(
      (text, at) => ({ itemId: `m3.${at + 1}`, type: "image", text, state: "verbatim" }) as const,
    ),
  ],
});

it("shows the images of a result in sight, and no mark of one that was taken out", async () => {
  open({ ...READY, entries: [running] });
  const message = result(PNG, "[image seen]", `${PNG}" onerror="x`);
  act({ type: "update", seq: 1, update: { kind: "message", message } });
  await drawn();
  const shown = [...document.querySelectorAll<HTMLImageElement>(".tool-images img")];
  expect(shown.map(({ src }) => src)).toEqual([`data:image/png;base64,${PNG}`]);
  expect(shown[0]?.alt).toBe("Image from box: draw");
  expect(one("details.tool .output").textContent).toBe("Drawn.");
  expect(one("details.tool").contains(shown[0] ?? null)).toBe(false);
});

it("has no row of images where a result brought none", async () => {
  open({ ...READY, entries: [running] });
  act({ type: "update", seq: 1, update: { kind: "message", message: result() } });
  await drawn();
  expect(document.querySelector(".tool-images")).toBeNull();
});
