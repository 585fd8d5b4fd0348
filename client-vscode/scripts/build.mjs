import { build } from "esbuild";
import { browserPage, common } from "./bundles.mjs";

await Promise.all([
  build({
    ...common,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["vscode"],
  }),
  build({
    ...common,
    entryPoints: {
      chat: "src/webview/chat/main.ts",
      hold: "src/webview/hold/main.ts",
      style: "src/webview/style.css",
    },
    outdir: "dist/webview",
    platform: "browser",
    format: "iife",
    target: "es2022",
  }),
  build(browserPage),
]);
