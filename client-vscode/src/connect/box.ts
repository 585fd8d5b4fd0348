import * as vscode from "vscode";

/** How a box is opened. */
interface Box {
  readonly title: string;
  readonly placeholder?: string;
  /** Other windows of the editor take the focus: the box stays. */
  readonly stays?: boolean;
}

/**
 * The row that Enter takes: the one that a person moved to, if it is there still, else the first;
 * without one Enter would do nothing.
 */
export function activeRow<T extends { readonly label: string }>(
  items: readonly T[],
  first: string | undefined,
  active: string | undefined,
): readonly T[] {
  const kept = active === first ? [] : items.filter(({ label }) => label === active);
  return [...kept, ...items].slice(0, 1);
}

/**
 * A pick list that stands at once, busy, while its rows are still looked for; rows that come later
 * take the place of those before, and what was highlighted stays so.
 */
export async function pickFrom<T extends vscode.QuickPickItem>(
  { title, placeholder = "", stays = false }: Box,
  rows: AsyncIterable<readonly T[]>,
): Promise<T | undefined> {
  const box = vscode.window.createQuickPick<T>();
  Object.assign(box, { title, placeholder, ignoreFocusOut: stays, busy: true });
  box.matchOnDescription = true;
  const picked = new Promise<T | undefined>((resolve) => {
    box.onDidAccept(() => {
      const [row] = box.selectedItems;
      if (row !== undefined) {
        resolve(row);
      }
    });
    box.onDidHide(() => resolve(undefined));
  });
  box.show();
  let open = true;
  void picked.then(() => {
    open = false;
  });
  const filling = (async () => {
    for await (const items of rows) {
      if (!open) {
        return;
      }
      const active = activeRow(items, box.items[0]?.label, box.activeItems[0]?.label);
      box.items = items;
      box.activeItems = active;
    }
    box.busy = false;
  })();
  try {
    // Rows that cannot be had fail the question, unless it was answered before.
    return await Promise.race([picked, filling.then(() => picked)]);
  } finally {
    box.dispose();
  }
}
