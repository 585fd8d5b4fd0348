/** What a page of ours may load: its own script by nonce, its own style, and nothing from a network. */
export function contentSecurityPolicy(cspSource: string, nonce: string): string {
  return [
    "default-src 'none'",
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
    `script-src 'nonce-${nonce}'`,
  ].join("; ");
}

export interface Page {
  readonly title: string;
  readonly cspSource: string;
  readonly nonce: string;
  readonly script: string;
  readonly style: string;
}

/** The document of a webview; everything in it is drawn by its script. */
export function pageHtml(page: Page): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(page.cspSource, page.nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<link rel="stylesheet" href="${page.style}">
<title>${page.title}</title>
</head>
<body>
<script nonce="${page.nonce}" src="${page.script}"></script>
</body>
</html>`;
}
