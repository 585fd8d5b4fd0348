import { expect, it } from "vitest";
import { choices, wantsKey } from "../../src/connect/choices";

const acts = (listed: Parameters<typeof choices>[0]) => choices(listed).map(({ act }) => act);

it("offers the models first, with their windows", () => {
  const models = [{ name: "small", contextWindow: 32768, windowSource: "server" }, { name: "odd" }];
  expect(choices({ models }).slice(0, 2)).toEqual([
    { label: "small", description: "32,768 tokens as it is served", act: "use" },
    { label: "odd", description: "window not known", act: "use" },
  ]);
  expect(acts({ models })).toEqual(["use", "use", "name", "key"]);
});

it("says in the box why there are none, with the remedy and a way on", () => {
  const failure = {
    kind: "providerUnavailable",
    message: "Nothing is running at 127.0.0.1:11434.",
    remedy: "Start the server there and try again.",
  };
  const [why, ...more] = choices({ models: [], failure });
  expect(why).toEqual({ label: failure.message, detail: failure.remedy, act: "retry" });
  expect(more.map(({ label }) => label)).toEqual([
    "Retry",
    "Give a key…",
    "Type the model's name…",
  ]);
  expect(acts({ models: [] })).toEqual(["retry", "retry", "key", "name"]);
});

it("offers a key first where one is asked for", () => {
  const failure = { kind: "providerAuth", message: "The key is refused." };
  expect(acts({ models: [], failure })).toEqual(["retry", "key", "retry", "name"]);
});

it("asks for a key at once only at vendors", () => {
  expect(wantsKey({ provider: "anthropic" })).toBe(true);
  expect(wantsKey({ provider: "openai", baseUrl: "https://openrouter.ai/api/v1" })).toBe(true);
  expect(wantsKey({ provider: "openai", baseUrl: "http://127.0.0.1:8080/v1" })).toBe(false);
});
