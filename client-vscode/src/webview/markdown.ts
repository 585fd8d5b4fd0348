import MarkdownIt, { type Token } from "markdown-it";

/**
 * Model output is hostile until shown otherwise: no HTML passes, no image is loaded, no link is
 * followed by the page itself (the host opens it), and what is drawn is checked against a list.
 */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: false });
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

/** `src/ledger.py:412`, `src/ledger.py:412-430`: a place in the workspace. */
const PLACE = /(?<![\w/.@-])((?:[\w.@+-]+\/)*[\w.@+-]+\.[A-Za-z]\w*):(\d+)(?:-\d+)?(?![\w:])/g;

const escaped = markdown.utils.escapeHtml;

markdown.renderer.rules.image = (tokens, index) => {
  const token = tokens[index];
  return `<span class="image">[image: ${escaped(token?.content ?? "")}]</span>`;
};
markdown.renderer.rules.link_open = (tokens, index) => {
  const href = String(tokens[index]?.attrGet("href") ?? "");
  return `<a href="#" data-action="link" data-href="${escaped(href)}" title="${escaped(href)}">`;
};
markdown.renderer.rules.th_open = (tokens, index) => cell("th", tokens[index]);
markdown.renderer.rules.td_open = (tokens, index) => cell("td", tokens[index]);
markdown.renderer.rules.text = (tokens, index) => inline(tokens, index);
markdown.renderer.rules.code_inline = (tokens, index) => `<code>${inline(tokens, index)}</code>`;
markdown.renderer.rules.fence = (tokens, index) =>
  codeBlock(tokens[index]?.content ?? "", (tokens[index]?.info ?? "").trim().split(/\s+/)[0] ?? "");
markdown.renderer.rules.code_block = (tokens, index) => codeBlock(tokens[index]?.content ?? "", "");

/** A link inside a link is none: within one, places stay text. */
function inline(tokens: readonly Token[], index: number): string {
  const text = tokens[index]?.content ?? "";
  const before = tokens.slice(0, index).map((token) => token.type);
  const within = before.lastIndexOf("link_open") > before.lastIndexOf("link_close");
  return within ? escaped(text) : withPlaces(text);
}

/** The policy of the page drops inline style: a column's side is a class. */
function cell(tag: string, token: Token | undefined): string {
  const side = /text-align:(right|center)/.exec(token?.attrGet("style") ?? "")?.[1];
  return side ? `<${tag} class="${side}">` : `<${tag}>`;
}

function codeBlock(text: string, language: string): string {
  return (
    `<div class="code"><div class="code-head"><span>${escaped(language)}</span>` +
    `<button type="button" class="quiet" data-action="copy">Copy</button></div>` +
    `<pre tabindex="0"><code>${escaped(text)}</code></pre></div>`
  );
}

function withPlaces(text: string): string {
  let html = "";
  let end = 0;
  for (const match of text.matchAll(PLACE)) {
    const [whole, path, line] = match;
    html += escaped(text.slice(end, match.index));
    html += `<a href="#" data-action="file" data-path="${escaped(path ?? "")}" data-line="${line}">${escaped(whole)}</a>`;
    end = match.index + whole.length;
  }
  return html + escaped(text.slice(end));
}

const ALLOWED_TAGS = new Set(
  "P BR HR EM STRONG S CODE PRE DIV SPAN A UL OL LI BLOCKQUOTE H1 H2 H3 H4 H5 H6 TABLE THEAD TBODY TR TH TD BUTTON".split(
    " ",
  ),
);
const ALLOWED_ATTRIBUTES = new Set(
  "class title href type tabindex start data-action data-href data-path data-line".split(" "),
);

/** Draws Markdown into a fragment that holds nothing but what the lists above allow. */
export function renderMarkdown(text: string): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = markdown.render(text);
  sanitise(template.content);
  return template.content;
}

function sanitise(root: DocumentFragment): void {
  for (const element of root.querySelectorAll("*")) {
    if (!ALLOWED_TAGS.has(element.tagName)) {
      element.replaceWith(element.textContent ?? "");
      continue;
    }
    for (const { name, value } of [...element.attributes]) {
      if (!ALLOWED_ATTRIBUTES.has(name) || (name === "href" && value !== "#")) {
        element.removeAttribute(name);
      }
    }
  }
}
