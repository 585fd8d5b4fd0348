import { expect, it } from "vitest";
import { remedyOf } from "../../src/session/remedies";
import { settingId, withTitles } from "../../src/session/settingNames";

const ADDRESS = "model.base_url";

it.each([
  [{ kind: "key", variable: "K" }, "Give a valid key."],
  [{ kind: "model", setting: "model.name" }, "Choose a model that the server has."],
  [
    { kind: "address", address: "http://h/v1", setting: ADDRESS },
    "The address is probably meant to be http://h/v1.",
  ],
  [
    { kind: "address", advice: "Is it running?", setting: ADDRESS },
    "Is it running? Otherwise check “Model: Base Url” and the network.",
  ],
  [{ kind: "address", setting: ADDRESS }, "Check “Model: Base Url”: it ends with /v1."],
  [
    { kind: "setting", advice: "Try again.", setting: "model.idle_seconds" },
    "Try again. The setting is “Model: Idle Seconds”.",
  ],
  [{ kind: "of a later server" }, "Check model.base_url: it ends with /v1."],
])("says what to do in VS Code about %o", (fix, says) => {
  expect(remedyOf({ remedy: "Check model.base_url: it ends with /v1.", fix })).toBe(says);
});

it("keeps the server's words where nothing is to be put right", () => {
  expect(remedyOf({ remedy: "in general" })).toBe("in general");
  expect(remedyOf({})).toBeUndefined();
});

it("finds a setting of the server among those of VS Code", () => {
  expect(settingId("model.first_token_seconds")).toBe("plimsoll.model.firstTokenSeconds");
  expect(
    withTitles("Set `permission.confined_commands = true`.", ["permission.confined_commands"]),
  ).toBe("Set “Permission: Confined Commands”.");
});
