import type { FromChatPage } from "../../../chat/messages";

/** Takes images that are pasted into an element; text is left to the field. */
export function takeImages(element: HTMLElement, post: (message: FromChatPage) => void): void {
  element.addEventListener("paste", (event) => {
    const pasted = [...(event.clipboardData?.files ?? [])];
    const images = pasted.filter(({ type }) => type.startsWith("image/"));
    if (images.length > 0) {
      event.preventDefault();
      void Promise.all(images.map(attachMessage)).then((messages) => messages.forEach(post));
    }
  });
}

/** What an editor says of files that are dragged out of it, and what any other program does. */
const URI_LISTS = ["application/vnd.code.uri-list", "text/uri-list"];

/** Takes files and folders that are dropped on an element; the page has to ask for them first. */
export function takeDrops(element: HTMLElement, post: (message: FromChatPage) => void): void {
  const mark = (over: boolean): void => {
    element.dataset.drop = String(over);
  };
  element.addEventListener("dragover", (event) => {
    if (URI_LISTS.some((type) => event.dataTransfer?.types.includes(type))) {
      event.preventDefault();
      mark(true);
    }
  });
  element.addEventListener("dragleave", () => mark(false));
  element.addEventListener("drop", (event) => {
    mark(false);
    const lists = URI_LISTS.map((type) => event.dataTransfer?.getData(type) ?? "");
    const uris = urisOf(lists.find((list) => list !== "") ?? "");
    if (uris.length > 0) {
      event.preventDefault();
      post({ type: "dropFiles", uris });
    }
  });
}

/** The addresses of a list; a line that begins with # is a comment. */
function urisOf(list: string): string[] {
  return list.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
}

async function attachMessage(image: File): Promise<FromChatPage> {
  const [data, thumbnail] = await Promise.all([base64Of(image), thumbnailOf(image)]);
  const { name, type: mimeType } = image;
  return { type: "attachImage", name, mimeType, data, ...(thumbnail ? { thumbnail } : {}) };
}

/** The height of a small copy, in pixels: twice that of a chip, for a sharp screen. */
const THUMBNAIL_HEIGHT = 36;
const WIDEST_THUMBNAIL = 72;

/** A small copy of an image; nothing of what cannot be drawn, which the host then refuses by its kind. */
async function thumbnailOf(image: File): Promise<string | undefined> {
  try {
    const drawn = await createImageBitmap(image, { resizeHeight: THUMBNAIL_HEIGHT });
    const canvas = document.createElement("canvas");
    canvas.height = drawn.height;
    canvas.width = Math.min(drawn.width, WIDEST_THUMBNAIL);
    canvas.getContext("2d")?.drawImage(drawn, 0, 0);
    return canvas.toDataURL("image/png");
  } catch {
    return undefined;
  }
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
