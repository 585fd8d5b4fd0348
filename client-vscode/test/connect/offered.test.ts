import { expect, it } from "vitest";
import { modelRows, removable } from "../../src/connect/offered";

const LOCAL = {
  provider: "openai",
  baseUrl: "http://127.0.0.1:11434/v1",
  address: "http://127.0.0.1:11434",
};
const VENDOR = { provider: "openai", address: "https://api.openai.com" };
const error = {
  kind: "providerUnavailable",
  message: "Nothing is running at 127.0.0.1:11434.",
  remedy: "Start Ollama and try again.",
};
const FOUND = {
  models: [
    { ...LOCAL, model: "openai/llama3", name: "llama3", contextWindow: 8192, tools: true },
    {
      ...VENDOR,
      model: "openai@api.openai.com/gpt-4o",
      name: "gpt-4o",
      contextWindow: 128000,
      price: { input: 2.5, output: 10 },
      images: true,
      tools: true,
    },
    { model: "embedded/search", name: "search", provider: "embedded", address: "" },
  ],
  addresses: [
    { ...LOCAL, isSet: true },
    { ...VENDOR, isSet: false },
  ],
};

it("shows each model with its address, window, price and what it takes", () => {
  expect(modelRows(FOUND, "openai/llama3")).toEqual([
    {
      label: "llama3",
      description: "127.0.0.1:11434 · current",
      detail: "8,192 tokens · tools",
      act: "use",
      model: "openai/llama3",
    },
    {
      label: "gpt-4o",
      description: "api.openai.com",
      detail: "128,000 tokens · $2.5 in, $10 out per million · images, tools",
      act: "use",
      model: "openai@api.openai.com/gpt-4o",
    },
    {
      label: "Keyword search",
      description: "",
      detail: "No model, no network",
      act: "use",
      model: "embedded/search",
    },
    expect.objectContaining({ act: "connect" }),
    expect.objectContaining({ act: "type" }),
    expect.objectContaining({ act: "remove" }),
  ]);
});

it("keeps the models of an address that does not answer, and says how it is started", () => {
  const [llama] = modelRows({ ...FOUND, addresses: [{ ...LOCAL, isSet: true, error }] }, undefined);
  expect(llama).toEqual({
    label: "llama3",
    description: "127.0.0.1:11434 · not reachable now",
    detail: "Nothing is running at 127.0.0.1:11434. Start Ollama and try again.",
    act: "use",
    model: "openai/llama3",
  });
});

it("has the session's model though no address lists it, and lets go what no setting names", () => {
  const [first] = modelRows(FOUND, "anthropic/claude");
  expect(first).toMatchObject({ label: "claude", description: "current" });
  expect(removable(FOUND.addresses)).toEqual([{ ...VENDOR, isSet: false }]);
  const none = modelRows({ models: [], addresses: [{ ...LOCAL, isSet: true }] }, undefined);
  expect(none.map(({ act }) => act)).toEqual(["connect", "type"]);
});
