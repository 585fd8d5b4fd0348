import DOMPurify from "dompurify";
import MarkdownIt, { type Token } from "markdown-it";
import { escapeHtml } from "../text/html";
import { coloured, isDiff, plain } from "./code";

/**
 * Model output is hostile until shown otherwise: no HTML passes, no image is loaded, no link is
 * followed by the page itself (the host opens it), and what is drawn is checked against a list.
 */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: false });
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
const WITH_SCHEME = /^\s*[a-z][a-z0-9+.-]*:/i;
/** A link with a scheme is one to the web, or none: `command:` and the like stay text. */
markdown.validateLink = (url) => !WITH_SCHEME.test(url) || /^https?:\/\//i.test(url);

/** `src/ledger.py:412`, `src/ledger.py:412-430`: a place in the workspace. */
const PLACE = /(?<![\w/.@-])((?:[\w.@+-]+\/)*[\w.@+-]+\.[A-Za-z]\w*):(\d+)(?:-\d+)?(?![\w:])/g;

markdown.renderer.rules.image = (tokens, index) => {
  const token = tokens[index];
  return `<span class="image">[image: ${escapeHtml(token?.content ?? "")}]</span>`;
};
markdown.renderer.rules.link_open = (tokens, index) => {
  const href = String(tokens[index]?.attrGet("href") ?? "");
  return `<a href="#" data-action="link" data-href="${escapeHtml(href)}" title="${escapeHtml(href)}">`;
};
markdown.renderer.rules.th_open = (tokens, index) => cell("th", tokens[index]);
markdown.renderer.rules.td_open = (tokens, index) => cell("td", tokens[index]);
markdown.renderer.rules.text = (tokens, index) => inline(tokens, index);
markdown.renderer.rules.code_inline = (tokens, index) => `<code>${inline(tokens, index)}</code>`;
markdown.renderer.rules.fence = (tokens, index, _options, env: Drawing) => {
  const token = tokens[index];
  const language = (token?.info ?? "").trim().split(/\s+/)[0] ?? "";
  const whole = !env.streaming || (token !== undefined && isClosed(token));
  return codeBlock(token?.content ?? "", language, whole);
};
markdown.renderer.rules.code_block = (tokens, index) =>
  codeBlock(tokens[index]?.content ?? "", "", true);
markdown.renderer.rules.task_box = (tokens, index) => {
  const done = tokens[index]?.meta === "done";
  return `<span class="task-box" role="img" aria-label="${done ? "done" : "to do"}">${done ? "✓" : ""}</span>`;
};
markdown.core.ruler.push("tasks", ({ tokens, Token: Made }) => {
  for (const [index, token] of tokens.entries()) {
    const item = tokens[index - 2];
    const [text] = token.children ?? [];
    const box = text?.type === "text" && /^\[([ xX])\]\s+/.exec(text.content);
    if (item?.type === "list_item_open" && box && token.children) {
      const drawn = new Made("task_box", "", 0);
      drawn.meta = box[1] === " " ? "open" : "done";
      text.content = text.content.slice(box[0].length);
      token.children.unshift(drawn);
      item.attrJoin("class", "task-item");
    }
  }
});

/** How a text is drawn, beside the text itself. */
interface Drawing {
  /** More of it is to come: a block that is not closed yet is not coloured. */
  readonly streaming: boolean;
}

/** A fence has its own two lines besides those of its text; an open one lacks the second. */
function isClosed({ content, map }: Token): boolean {
  const lines = content.split("\n").length - 1;
  const ended = content === "" || content.endsWith("\n");
  return map !== null && ended && map[1] - map[0] === lines + 2;
}

/** A link inside a link is none: within one, places stay text. */
function inline(tokens: readonly Token[], index: number): string {
  const text = tokens[index]?.content ?? "";
  const before = tokens.slice(0, index).map((token) => token.type);
  const within = before.lastIndexOf("link_open") > before.lastIndexOf("link_close");
  return within ? escapeHtml(text) : withPlaces(text);
}

/** The policy of the page drops inline style: a column's side is a class. */
function cell(tag: string, token: Token | undefined): string {
  const side = /text-align:(right|center)/.exec(token?.attrGet("style") ?? "")?.[1];
  return side ? `<${tag} class="${side}">` : `<${tag}>`;
}

function codeBlock(text: string, language: string, whole: boolean): string {
  const html = whole ? coloured(text, language.toLowerCase()) : plain(text, language);
  const look = isDiff(language) ? ' class="diff"' : "";
  return (
    `<div class="code" data-language="${escapeHtml(language)}"><div class="code-head">` +
    `<span>${escapeHtml(language)}</span>${CODE_BUTTONS}</div>` +
    `<pre tabindex="0"${look}><code>${html}</code></pre></div>`
  );
}

const CODE_BUTTONS = [
  ["copy", "Copy", "Copy this code"],
  ["insertCode", "Insert at Cursor", "Insert this code at the cursor of the editor"],
  ["newFile", "New File", "Open this code as a new file, which is not saved yet"],
]
  .map(
    ([action, label, title]) =>
      `<button type="button" class="quiet" data-action="${action}" title="${title}">${label}</button>`,
  )
  .join("");

function withPlaces(text: string): string {
  let html = "";
  let end = 0;
  for (const match of text.matchAll(PLACE)) {
    const [whole, path, line] = match;
    html += escapeHtml(text.slice(end, match.index));
    html += `<a href="#" data-action="file" data-path="${escapeHtml(path ?? "")}" data-line="${line}">${escapeHtml(whole)}</a>`;
    end = match.index + whole.length;
  }
  return html + escapeHtml(text.slice(end));
}

const TAGS =
  "p br hr em strong s code pre div span a ul ol li blockquote h1 h2 h3 h4 h5 h6 table thead tbody tr th td button".split(
    " ",
  );
const ATTRIBUTES =
  "class title type tabindex start role aria-label data-action data-href data-path data-line data-language".split(
    " ",
  );

/** Draws Markdown into a fragment that holds nothing but what the lists above allow. */
export function renderMarkdown(text: string, streaming = false): DocumentFragment {
  const drawing: Drawing = { streaming };
  return DOMPurify.sanitize(markdown.render(text, drawing), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: [...ATTRIBUTES, "href"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ADD_URI_SAFE_ATTR: ATTRIBUTES,
    // The page follows no link: the host opens what `data-href` says, if it is a web address.
    ALLOWED_URI_REGEXP: /^#$/,
    RETURN_DOM_FRAGMENT: true,
  });
}
