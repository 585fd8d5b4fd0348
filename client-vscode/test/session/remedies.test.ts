import { expect, it } from "vitest";
import { remedyOf } from "../../src/session/remedies";

it.each([
  [{ kind: "key", variable: "K" }, "Give a valid key: Plimsoll: Set API Key…"],
  [{ kind: "address", address: "http://h/v1" }, "Set plimsoll.model.baseUrl to http://h/v1."],
  [{ kind: "address" }, "in general"],
  [{ kind: "of a later server" }, "in general"],
])("says what to do in VS Code about %o", (fix, says) => {
  expect(remedyOf({ remedy: "in general", fix })).toBe(says);
});

it("keeps the server's words where nothing is to be put right", () => {
  expect(remedyOf({ remedy: "in general" })).toBe("in general");
  expect(remedyOf({})).toBeUndefined();
});
