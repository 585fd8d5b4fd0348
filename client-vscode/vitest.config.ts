import * as path from "node:path";
import { defineConfig } from "vitest/config";

const PAGES = "test/webview/**/*.test.ts";

export default defineConfig({
  resolve: { alias: { vscode: path.join(__dirname, "test", "vscode.ts") } },
  test: {
    // A safety net: a busy machine takes long, and no clock judges a test.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "host",
          include: ["test/**/*.test.ts"],
          exclude: [PAGES],
          // Its modules keep nothing between tests, so its files share one process.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "pages",
          include: [PAGES],
          // Each file has a document and modules of its own; jsdom itself is loaded once.
          pool: "vmThreads",
        },
      },
    ],
  },
});
