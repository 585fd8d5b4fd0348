import * as path from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { vscode: path.join(__dirname, "test", "vscode.ts") } },
  test: { include: ["test/**/*.test.ts"], testTimeout: 10_000 },
});
