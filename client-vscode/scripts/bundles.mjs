// What the bundles have in common, and the one that a test makes anew.
import path from "node:path";
import { fileURLToPath } from "node:url";

const client = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

export const common = Object.freeze({
  bundle: true,
  minify: true,
  logLevel: "warning",
  legalComments: "none",
});

/** The context view for a browser: it is committed with the server that serves it. */
export const browserPage = Object.freeze({
  ...common,
  absWorkingDir: client,
  entryPoints: { view: "src/webview/view/main.ts", "view-style": "src/webview/view.css" },
  outdir: path.join(client, "..", "server", "plimsoll", "view", "page"),
  platform: "browser",
  format: "iife",
  target: "es2022",
});
