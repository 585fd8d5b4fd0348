// The memory view of a window, by what a person sees and does there.

/** What is done in the memory view of a page. */
export function memoryView(page) {
  const tree = page.locator('.pane:has(.pane-header[aria-label^="Memory"])');
  const row = (title) => tree.locator(".monaco-list-row", { hasText: title });
  return {
    tree,
    row,
    async openTree() {
      const header = tree.locator(".pane-header");
      if ((await header.getAttribute("aria-expanded")) !== "true") await header.click();
    },
    /** What a turn changes in the list comes behind its end; an action meanwhile would find no row behind its button. */
    shows: (words) => tree.getByRole("treeitem", { name: words }).waitFor(),
    async act(title, name) {
      // Not by the pointer: the list draws its rows anew as memories change, and another one may then lie under it.
      const button = row(title).getByRole("button", { name, includeHidden: true });
      await button.dispatchEvent("click");
    },
  };
}
