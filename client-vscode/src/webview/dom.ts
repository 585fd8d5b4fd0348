type Child = Node | string | false | undefined;
type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Makes an element; an attribute that is false or undefined is left out. */
export function h(tag: string, attributes: Attributes = {}, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "string") {
      element.setAttribute(name, value);
    } else if (value) {
      element.setAttribute(name, "");
    }
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

/** All that a page shows: its one landmark with its heading, without a box of its own. */
export function landmark(title: string, ...children: Child[]): HTMLElement {
  return h("main", { class: "landmark" }, h("h1", { class: "sr" }, title), ...children);
}

/** A view lower than this, in pixels, has room for the conversation alone. */
const LOW = 340;

/** Folds a part of a page while the view is low; what a reader opens then stays open. */
export function foldWhileLow(details: HTMLElement): void {
  let low = false;
  const look = (): void => {
    const isLow = window.innerHeight > 0 && window.innerHeight < LOW;
    if (isLow !== low) {
      low = isLow;
      details.toggleAttribute("open", !low);
    }
  };
  look();
  window.addEventListener("resize", look);
}

const SVG = "http://www.w3.org/2000/svg";

/** The Plimsoll mark, drawn in the current colour. */
export function mark(): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 16");
  svg.setAttribute("class", "mark");
  svg.setAttribute("aria-hidden", "true");
  const circle = document.createElementNS(SVG, "circle");
  for (const [name, value] of Object.entries({ cx: "12", cy: "8", r: "5.5" })) {
    circle.setAttribute(name, value);
  }
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", "M2 8h20");
  svg.append(circle, line);
  return svg;
}

/**
 * Makes `old` look like `wanted` and touches nothing that is equal already: selection, focus, an
 * open `details` and a half-written reason outlive a redraw.
 */
export function morph(old: Element, wanted: Element): void {
  if (old.isEqualNode(wanted)) {
    return;
  }
  const count = wanted.childNodes.length;
  syncAttributes(old, wanted);
  const keyed = new Map([...old.children].map((child) => [keyOf(child), child]));
  [...wanted.childNodes].forEach((node, index) => {
    const current = found(old, index, node, keyed);
    if (current === undefined) {
      old.append(node);
    } else if (!current.isEqualNode(node)) {
      replace(current, node);
    }
  });
  while (old.childNodes.length > count) {
    old.lastChild?.remove();
  }
}

/** The child that stands at a place, the one with the same key brought there from further down, or the new node put there. */
function found(
  old: Element,
  index: number,
  node: ChildNode,
  keyed: ReadonlyMap<string | undefined, Element>,
): ChildNode | undefined {
  const standing = old.childNodes[index];
  const key = keyOf(node);
  if (keyOf(standing) === key) {
    return standing;
  }
  const same = key === undefined ? undefined : keyed.get(key);
  if (same?.parentNode === old) {
    move(same, standing ?? null);
    return same;
  }
  // What has a key keeps its state: it makes way for what is new.
  return keyOf(standing) === undefined ? standing : old.insertBefore(node, standing ?? null);
}

/** Brings an element to another place, with the focus in it, which a browser takes from what is moved. */
function move(element: Element, before: ChildNode | null): void {
  const { activeElement } = document;
  element.parentNode?.insertBefore(element, before);
  if (activeElement instanceof HTMLElement && element.contains(activeElement)) {
    activeElement.focus({ preventScroll: true });
  }
}

function keyOf(node: Node | undefined): string | undefined {
  return node instanceof HTMLElement ? node.dataset.key : undefined;
}

function replace(current: ChildNode, node: ChildNode): void {
  const alike =
    current instanceof HTMLElement &&
    node instanceof HTMLElement &&
    current.tagName === node.tagName &&
    keyOf(current) === keyOf(node);
  if (alike) {
    morph(current, node);
  } else {
    current.replaceWith(node);
  }
}

/** `open` belongs to the reader. */
const KEPT = new Set(["open"]);

function syncAttributes(old: Element, wanted: Element): void {
  for (const { name } of [...old.attributes]) {
    if (!wanted.hasAttribute(name) && !KEPT.has(name)) {
      old.removeAttribute(name);
    }
  }
  for (const { name, value } of [...wanted.attributes]) {
    if (old.getAttribute(name) !== value && !KEPT.has(name)) {
      old.setAttribute(name, value);
    }
  }
}

/** What a text that is scrolled by keys is called by a screen reader. */
export function named(name: string): { tabindex: string; role: string; "aria-label": string } {
  return { tabindex: "0", role: "group", "aria-label": name };
}
