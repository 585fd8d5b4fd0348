import type { App } from "../app";
import { saveRestored } from "../context/goingBack";
import { choose } from "../editor/notifications";
import { SessionCheckpointRequest } from "../methods";
import { plural } from "../text/format";
import { remarksText } from "../text/restored";

const KEEP = "Go back, keep files";

/** Asks what becomes of the files and goes back to a prompt; the server says what was done. */
export async function goBackTo(app: App, promptId: string): Promise<void> {
  const params = { sessionId: app.session.requiredId(), messageId: promptId };
  const { files, commands } = await app.request(SessionCheckpointRequest, params);
  const due = files.filter(({ action }) => action !== "left").length;
  const restore = `Go back and restore ${plural(due, "file")}`;
  const picked = await choose(
    "Go back to this prompt?",
    ["What came after it leaves the conversation.", plain(remarksText(files, commands))].join(
      "\n\n",
    ),
    ...(due > 0 ? [restore, KEEP] : [KEEP]),
  );
  if (picked === undefined) {
    return;
  }
  const done = await app.session.goBackTo(promptId, picked === restore);
  await saveRestored(done.files ?? []);
}

function plain(markdown: string): string {
  return markdown.replaceAll("`", "");
}
