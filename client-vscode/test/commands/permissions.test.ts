import { expect, it, vi } from "vitest";

vi.mock("vscode", () => ({ ThemeIcon: class {} }));
const { permissionItem } = await import("../../src/commands/permissions");

it("says what is always allowed, how far, and since when", () => {
  const kept = { number: 2, kind: "firstWords", at: "2026-11-26T04:00:00Z" };
  const words = { what: "`npm test …`", covers: "`npm test` alone or with names of files" };
  expect(permissionItem({ ...kept, ...words })).toMatchObject({
    number: 2,
    label: "npm test …",
    description: "since 2026-11-26",
    detail: "npm test alone or with names of files",
  });
});
