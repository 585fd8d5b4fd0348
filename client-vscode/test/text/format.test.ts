import { expect, it } from "vitest";
import {
  exactTokens,
  formatBytes,
  formatTokens,
  lensTitle,
  plural,
  withoutLinks,
} from "../../src/text/format";

it.each([
  [0, "0"],
  [842, "842"],
  [3104, "3.1k"],
  [112_000, "112k"],
  [999_949, "999.9k"],
  [999_950, "1M"],
  [1_250_000, "1.3M"],
])("writes %d tokens as %s", (tokens, text) => {
  expect(formatTokens(tokens)).toBe(text);
});

it.each([
  [1, "1 byte"],
  [999, "999 bytes"],
  [303_227, "303 kB"],
  [999_499, "999 kB"],
  [999_500, "1 MB"],
  [12_340_000, "12.3 MB"],
])("writes %d bytes as %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it("is exact where it says so", () => {
  expect(exactTokens(1_234_567)).toBe("1,234,567");
  expect([plural(1, "turn"), plural(0, "turn")]).toEqual(["1 turn", "0 turns"]);
});

it("leaves nothing that a notification would make a link of", () => {
  const text = withoutLinks("run [build](command:workbench.action.terminal.new) now");
  expect(text).not.toMatch(/\]\(/);
});

it("draws the mark where the sign of a lens stands, and nowhere else", () => {
  expect(lensTitle("⊖ in context · 1,131 tokens")).toBe(
    "$(plimsoll-mark)\u00a0in context · 1,131 tokens",
  );
  expect(lensTitle("pin")).toBe("pin");
});
