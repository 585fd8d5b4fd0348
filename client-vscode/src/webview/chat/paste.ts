import type { FromChatPage } from "../../chat/messages";

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

async function attachMessage(image: File): Promise<FromChatPage> {
  return {
    type: "attachImage",
    name: image.name,
    mimeType: image.type,
    data: await base64Of(image),
  };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
