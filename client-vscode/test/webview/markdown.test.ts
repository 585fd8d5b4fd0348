// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { renderMarkdown } from "../../src/webview/markdown";

function html(text: string): string {
  const root = document.createElement("div");
  root.append(renderMarkdown(text));
  return root.innerHTML;
}

function links(text: string): HTMLElement[] {
  return [...renderMarkdown(text).querySelectorAll<HTMLElement>("a")];
}

describe("links", () => {
  it("are handed to the host and show where they lead", () => {
    const [link] = links("[docs](https://example.org/a?b=c)");
    expect({ ...link?.dataset }).toEqual({ action: "link", href: "https://example.org/a?b=c" });
    expect(link?.title).toBe("https://example.org/a?b=c");
  });

  it("lead from path:line to the file, in text and in code", () => {
    const found = links("See src/ledger.py:412 and `tests/a_test.py:10-12`.");
    expect(found.map(({ dataset }) => [dataset.path, dataset.line])).toEqual([
      ["src/ledger.py", "412"],
      ["tests/a_test.py", "10"],
    ]);
  });

  it("are not found in times, addresses and ports", () => {
    expect(links("at 10:15, http on 127.0.0.1:8080, key:value")).toEqual([]);
  });

  it("of another scheme than the web's stay text", () => {
    for (const url of ["command:workbench.action.quit", "vscode://x/y", "file:///etc/passwd"]) {
      expect(links(`[x](${url})`)).toEqual([]);
    }
  });

  it("do not stand inside each other", () => {
    expect(links("[src/a.py:3](https://example.org)")).toHaveLength(1);
  });
});

it("says a column's side with a class, since the policy allows no style", () => {
  const fragment = renderMarkdown("| a | b |\n|---|---:|\n| x | 1 |");
  expect(fragment.querySelectorAll("[style]")).toHaveLength(0);
  expect([...fragment.querySelectorAll("td")].map(({ className }) => className)).toEqual([
    "",
    "right",
  ]);
});

it("draws an image as words", () => {
  expect(html("![a cat](https://example.org/cat.png)")).toBe(
    '<p><span class="image">[image: a cat]</span></p>\n',
  );
});

describe("a block of code", () => {
  const block = (text: string, streaming = false) => {
    const found = renderMarkdown(text, streaming).querySelector<HTMLElement>(".code");
    if (found === null) {
      throw new Error(`no block in ${text}`);
    }
    return found;
  };

  it("keeps its text as it is and offers to copy it, to insert it and to open it", () => {
    const found = block("```python\nif a < b:\n    pass\n```");
    expect(found.querySelector("code")?.textContent).toBe("if a < b:\n    pass\n");
    expect(found.dataset.language).toBe("python");
    const buttons = [...found.querySelectorAll("button")];
    expect(buttons.map(({ textContent, dataset }) => [textContent, dataset.action])).toEqual([
      ["Copy", "copy"],
      ["Insert at Cursor", "insertCode"],
      ["New File", "newFile"],
    ]);
  });

  it("is coloured in its language, by any of its names", () => {
    for (const name of ["python", "py", "Python"]) {
      expect(
        block(`\`\`\`${name}\nif a:\n\`\`\``).querySelector(".hljs-keyword")?.textContent,
      ).toBe("if");
    }
    expect(block("```nonsense\nif a:\n```").querySelector("span.hljs-keyword")).toBeNull();
  });

  it.each([
    ["open", "```py\nif a:\n    x", false],
    ["open at the end of a line", "```py\nif a:\n", false],
    ["open and empty line", "```py\nif a:\n\n", false],
    ["with a fence that is half written", "```py\nif a:\n``", false],
    ["closed", "```py\nif a:\n```", true],
    ["closed with text behind it", "```py\nif a:\n```\nand", true],
    ["closed in a list", "- one\n  ```py\n  if a:\n  ```\n", true],
  ])("that is written and %s is coloured: %s", (_, text, expected) => {
    expect(block(text, true).querySelector(".hljs-keyword") !== null).toBe(expected);
    expect(block(text).querySelector(".hljs-keyword")).not.toBeNull();
  });

  it("of a diff shows what came and what went, each with its sign", () => {
    const text = "--- a.py\n+++ b.py\n@@ -1 +1 @@\n-old\n+new <b>\n same\n";
    const found = block(`\`\`\`diff\n${text}\`\`\``);
    const lines = [...found.querySelectorAll("code > span")];
    expect(lines.map(({ className }) => className)).toEqual([
      "diff-head",
      "diff-head",
      "diff-hunk",
      "diff-removed",
      "diff-added",
      "diff-same",
    ]);
    expect(found.querySelector("code")?.textContent).toBe(text);
  });
});

it("draws what a list has to do as boxes that nobody can tick", () => {
  const fragment = renderMarkdown("- [x] `one`\n- [ ] two\n- [not] three\n- [ ]four");
  const boxes = [...fragment.querySelectorAll("li.task-item > .task-box")];
  expect(boxes.map((box) => box.getAttribute("aria-label"))).toEqual(["done", "to do"]);
  expect([...fragment.querySelectorAll("li")].map((item) => item.textContent)).toEqual([
    "✓one",
    "two",
    "[not] three",
    "[ ]four",
  ]);
});
