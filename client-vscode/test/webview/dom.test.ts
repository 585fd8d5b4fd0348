// @vitest-environment jsdom
import { expect, it } from "vitest";
import { h, morph } from "../../src/webview/dom";

function list(...keys: string[]): HTMLElement {
  return h("ul", {}, ...keys.map((key) => h("li", { "data-key": key }, h("button", {}, key))));
}

function keys(root: HTMLElement): (string | undefined)[] {
  return [...root.children].map((child) => (child as HTMLElement).dataset.key);
}

it("moves keyed children instead of making them anew, so a focus survives", () => {
  const old = list("a", "b", "c");
  document.body.append(old);
  const button = old.children[2]?.querySelector("button");
  const node = old.children[2];
  button?.focus();
  morph(old, list("c", "a", "d"));
  expect(keys(old)).toEqual(["c", "a", "d"]);
  expect(old.children[0]).toBe(node);
  expect(document.activeElement).toBe(button);
});

it.each([
  [
    ["a", "b", "c"],
    ["c", "b", "a"],
  ],
  [["a"], []],
  [[], ["x", "y"]],
  [
    ["a", "b", "c", "d"],
    ["d", "x", "a"],
  ],
])("turns %j into %j", (before, after) => {
  const old = list(...before);
  morph(old, list(...after));
  expect(old.isEqualNode(list(...after))).toBe(true);
});

it("keeps an open detail open and leaves equal nodes alone", () => {
  const old = h("div", {}, h("details", { open: true }, "x"), h("p", {}, "same"));
  const paragraph = old.children[1];
  morph(old, h("div", {}, h("details", {}, "y"), h("p", {}, "same")));
  expect(old.children[0]?.hasAttribute("open")).toBe(true);
  expect(old.children[0]?.textContent).toBe("y");
  expect(old.children[1]).toBe(paragraph);
});

it("keeps what has a key as it is while something new comes before it and goes again", () => {
  const old = h(
    "div",
    {},
    h("p", {}, "a"),
    h("details", { "data-key": "d" }, "b"),
    h("p", {}, "c"),
  );
  const details = old.querySelector("details");
  details?.setAttribute("open", "");
  const drawn = (...before: HTMLElement[]) =>
    h(
      "div",
      {},
      h("p", {}, "a"),
      ...before,
      h("details", { "data-key": "d" }, "b"),
      h("p", {}, "c"),
    );
  for (const before of [[h("i", {}, "new")], [], [h("i", { "data-key": "i" }, "new")], []]) {
    morph(old, drawn(...before));
    expect(old.textContent).toBe(before.length > 0 ? "anewbc" : "abc");
    expect(old.querySelector("details")).toBe(details);
    expect(details?.hasAttribute("open")).toBe(true);
  }
});
