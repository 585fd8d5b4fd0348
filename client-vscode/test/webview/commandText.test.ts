import { expect, it } from "vitest";
import { commandText } from "../../src/webview/commandText";

// @vitest-environment jsdom

it.each([
  ["make -j 8 --all x-y -", ["-j", "--all"]],
  ["-a", ["-a"]],
  ["a\n-b --c=d-e", ["-b", "--c=d-e"]],
  [`--${"x".repeat(60)} a-b`, []],
  ["--- --", []],
])("keeps the options of %j whole, and every character", (text, options) => {
  const line = document.createElement("p");
  line.append(...commandText(text));
  expect(line.textContent).toBe(text);
  expect([...line.querySelectorAll(".option")].map((one) => one.textContent)).toEqual(options);
});
