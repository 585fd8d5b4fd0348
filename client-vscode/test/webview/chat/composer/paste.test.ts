// @vitest-environment jsdom
import { expect, it, vi } from "vitest";
import { field, open, posts } from "../openPage";

function paste(...files: readonly File[]): Event {
  const event = new Event("paste", { bubbles: true, cancelable: true });
  Object.assign(event, { clipboardData: { files } });
  field().dispatchEvent(event);
  return event;
}

it("hands the host the images that are pasted", async () => {
  open();
  const event = paste(
    new File(["hello"], "shot.png", { type: "image/png" }),
    new File(["text"], "notes.txt", { type: "text/plain" }),
  );
  expect(event.defaultPrevented).toBe(true);
  const expected = { type: "attachImage", name: "shot.png", mimeType: "image/png" };
  await vi.waitFor(() => expect(posts).toContainEqual({ ...expected, data: "aGVsbG8=" }));
  expect(posts.filter(({ type }) => type === "attachImage")).toHaveLength(1);
});

it("leaves text to the field", () => {
  open();
  expect(paste().defaultPrevented).toBe(false);
});
