import { expect, it } from "vitest";
import { contentSecurityPolicy, pageHtml } from "../../src/editor/pageView";

it("lets a page load its own script and style, and nothing else", () => {
  expect(contentSecurityPolicy("https://csp.example", "n0nce")).toBe(
    "default-src 'none'; style-src https://csp.example; font-src https://csp.example; " +
      "img-src https://csp.example data:; script-src 'nonce-n0nce'",
  );
});

it("carries the policy and no inline script or style", () => {
  const html = pageHtml({
    title: "T",
    cspSource: "c",
    nonce: "n0nce",
    script: "s.js",
    style: "s.css",
  });
  expect(html).toContain(`content="${contentSecurityPolicy("c", "n0nce")}"`);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).toContain('<script nonce="n0nce" src="s.js"></script>');
  expect(html).not.toMatch(/<style|style=|onload|unsafe-/);
});
