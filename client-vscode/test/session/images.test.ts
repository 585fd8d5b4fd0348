import { expect, it } from "vitest";
import { imageLabel, imagePart, imageUrl } from "../../src/session/images";

const image = (fields = {}) => ({
  name: "shot.png",
  mimeType: "image/png",
  data: "aGVsbG8=",
  ...fields,
});

it("becomes a part of the prompt, with its name and size for the person", () => {
  expect(imagePart(image())).toEqual({ type: "image", mimeType: "image/png", data: "aGVsbG8=" });
  expect(imageLabel(image({ data: "A".repeat(4_000) }))).toBe("shot.png (3 kB)");
});

it("is refused with a clear word where no server takes it", () => {
  expect(() => imagePart(image({ name: "x.svg", mimeType: "image/svg+xml" }))).toThrow(
    "x.svg is image/svg+xml. Models take PNG, JPEG, GIF and WebP.",
  );
  expect(() => imagePart(image({ data: "A".repeat(5_000_004) }))).toThrow("3.75 MB is the most");
  expect(imagePart(image({ data: "A".repeat(5_000_000) })).data).toHaveLength(5_000_000);
});

it("is drawn by what its data begins with, and never as a drawing that can hold a script", () => {
  const kinds = ["iVBORw0KGgo=", "/9j/4AAQ", "R0lGODlh", "UklGRgAA"].map(imageUrl);
  expect(kinds.map((url) => url?.split(";")[0])).toEqual([
    "data:image/png",
    "data:image/jpeg",
    "data:image/gif",
    "data:image/webp",
  ]);
  expect(imageUrl("PHN2ZyB4bWxucz0=")).toBeUndefined();
  expect(imageUrl("[image seen]")).toBeUndefined();
});
