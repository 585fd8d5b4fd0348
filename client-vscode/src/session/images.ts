import type { ImagePart } from "../protocol";

/** What the server takes of an image, as the wire says it. */
const IMAGE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const MAX_BYTES = 3_750_000;

export interface PastedImage {
  readonly name: string;
  readonly mimeType: string;
  /** In base64. */
  readonly data: string;
}

/**
 * The part of a prompt that carries an image.
 * Raises: an error for a kind or a size that the server does not take.
 */
export function imagePart({ name, mimeType, data }: PastedImage): ImagePart {
  if (!IMAGE_TYPES.includes(mimeType)) {
    throw new Error(
      `The image was not attached: ${name} is ${mimeType}. Models take PNG, JPEG, GIF and WebP.`,
    );
  }
  const bytes = bytesOf(data);
  if (bytes > MAX_BYTES) {
    throw new Error(
      `The image was not attached: ${name} has ${megabytes(bytes)} MB, and ${megabytes(MAX_BYTES)} MB is the most. Make it smaller, or cut out what matters.`,
    );
  }
  return { type: "image", mimeType, data };
}

/** What a person reads of an attached image. */
export function imageLabel({ name, data }: PastedImage): string {
  return `${name} (${Math.ceil(bytesOf(data) / 1000)} kB)`;
}

function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(2);
}

/** How the data of each kind begins, in base64. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  iVBORw0KGgo: "image/png",
  "/9j/": "image/jpeg",
  R0lGOD: "image/gif",
  UklGR: "image/webp",
};

/** The address by which a page draws an image of this data; undefined where it is none, such as the mark of one that was taken out. */
export function imageUrl(data: string): string | undefined {
  const [, kind] = Object.entries(BEGINNINGS).find(([start]) => data.startsWith(start)) ?? [];
  return kind !== undefined && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
    ? `data:${kind};base64,${data}`
    : undefined;
}
