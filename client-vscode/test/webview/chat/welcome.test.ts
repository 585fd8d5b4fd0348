import { expect, it } from "vitest";
import { session } from "../../values";
import { act, button, drawn, field, open, posts, READY } from "./openPage";

// @vitest-environment jsdom

const answerEntry = {
  kind: "answer",
  id: "m2",
  turnId: "t1",
  text: "Found.",
  reasoning: "",
  streaming: false,
} as const;
const CONNECTED = { ...READY, session: session({ model: "openai/gpt-4o" }) };
const buttons = () => [...document.querySelectorAll("button")].map((one) => one.textContent);

it("offers to connect a model in the first minute, and to try it without one", () => {
  open();
  button("Connect a model").click();
  expect(posts.at(-1)).toEqual({ type: "run", command: "connectModel" });
  button("Take a two-minute tour").click();
  expect(posts.at(-1)).toEqual({ type: "run", command: "takeTour" });
  button("Try it without one").click();
  expect(field().value).toBe("What does this project do, and where does it start?");
});

it("does not offer it where a model is connected", () => {
  open(CONNECTED);
  expect(buttons()).not.toContain("Connect a model");
  expect(buttons()).toContain("Where is the configuration read?");
});

it("offers it below an answer of the built-in search, when the turn is over", async () => {
  open({ ...READY, entries: [answerEntry], turnId: "t1" });
  expect(buttons()).not.toContain("Connect a model");
  act({ type: "idle" });
  await drawn();
  expect(buttons()).toContain("Connect a model");
  open({ ...CONNECTED, entries: [answerEntry] });
  expect(buttons()).not.toContain("Connect a model");
});
