import { expect, it } from "vitest";
import { imageLabel, imagePart } from "../../src/session/images";

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
